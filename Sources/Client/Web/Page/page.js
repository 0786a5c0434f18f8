// Draws the cells that the server sends, and sends keys, text, clicks and the size of the window.
// It knows nothing of the game.
'use strict';

const $ = (id) => document.getElementById(id);
const screen_ = $('screen');
const minColumns = 40, maxColumns = 160, maxRows = 60;
let socket = null, rows = 0, columns = 0, cells = [], cursor = null;
let isOver = false, retry = 500, sound = true, audio = null;
let choice = '';
const pen = { classes: '' };

// ---- The grid.

function measure() {
  const probe = document.createElement('span');
  probe.textContent = '0';
  screen_.append(probe);
  const box = probe.getBoundingClientRect();
  probe.remove();
  return box;
}

// A narrow window gets a smaller font, so that 40 columns fit.
function fit() {
  screen_.style.fontSize = '16px';
  let box = measure();
  const width = screen_.clientWidth, height = screen_.clientHeight;
  if (width / box.width < minColumns) {
    screen_.style.fontSize = Math.floor(16 * width / (box.width * minColumns) * 4) / 4 + 'px';
    box = measure();
  }
  const newColumns = Math.max(minColumns, Math.min(maxColumns, Math.floor(width / box.width)));
  const newRows = Math.max(8, Math.min(maxRows, Math.floor(height / box.height)));
  if (newColumns === columns && newRows === rows) return false;
  columns = newColumns;
  rows = newRows;
  makeGrid();
  return true;
}

function makeGrid() {
  cells = [];
  const lines = [];
  for (let row = 0; row < rows; row += 1) {
    const line = document.createElement('div');
    if (row === rows - 1) line.className = 'last';
    const list = [];
    for (let column = 0; column < columns; column += 1) {
      const cell = document.createElement('span');
      cell.textContent = ' ';
      cell.dataset.at = row + ' ' + column;
      list.push(cell);
      line.append(cell);
    }
    cells.push(list);
    lines.push(line);
  }
  screen_.replaceChildren(...lines);
}

function clear() {
  for (const list of cells) {
    for (const cell of list) { cell.textContent = ' '; cell.className = ''; }
  }
}

function isWide(text) {
  return /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u
    .test(text);
}

// ---- Frames: the subset of ECMA-48 that the server writes.

const parts = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function draw(text) {
  let row = 0, column = 0;
  for (const piece of text.split(/(\x1b\[[?0-9;]*[A-Za-z]|\x07)/)) {
    if (piece === '') continue;
    if (piece === '\x07') { ring(); continue; }
    if (piece[0] !== '\x1b') {
      for (const { segment } of parts.segment(piece)) {
        put(row, column, segment);
        column += isWide(segment) ? 2 : 1;
      }
      continue;
    }
    const kind = piece[piece.length - 1];
    const numbers = piece.slice(2, -1).split(';').map(Number);
    if (kind === 'H') { row = numbers[0] - 1; column = numbers[1] - 1; }
    if (kind === 'J') clear();
    if (kind === 'm') setPen(numbers);
    if (kind === 'l') showCursor(null);
    if (kind === 'h') showCursor([row, column]);
  }
}

function setPen(codes) {
  const names = [];
  for (const code of codes) {
    if (code === 1) names.push('bold');
    if (code === 2) names.push('dim');
    if (code === 4) names.push('under');
    if (code === 7) names.push('reversed');
    if (code >= 30 && code < 38) names.push('c' + (code - 30));
    if (code >= 90 && code < 98) names.push('c' + (code - 82));
  }
  pen.classes = names.join(' ');
}

function put(row, column, text) {
  const cell = cells[row] && cells[row][column];
  if (!cell) return;
  const wide = isWide(text), next = cells[row][column + 1];
  const wasWide = cell.classList.contains('wide');
  cell.textContent = text;
  cell.className = pen.classes + (wide ? ' wide' : '');
  if (wide && next) next.className = 'none';
  if (wasWide && !wide && next) { next.className = ''; next.textContent = ' '; }
}

function showCursor(at) {
  if (cursor) cursor.classList.remove('cursor');
  cursor = at && cells[at[0]] ? cells[at[0]][at[1]] : null;
  if (cursor) cursor.classList.add('cursor');
}

// ---- What this browser keeps for this origin: for each tab the secret with which it is found again,
// and the session's token for later. A tab that is new goes on where one has ended that nobody uses:
// pages that are open answer when they are asked. Without storage, a reload starts a new session.

const forgetTime = 24 * 3600 * 1000, askTime = 250;
const others = new BroadcastChannel('tabs'), open_ = new Set();
let tabID = null, entry = {};

others.onmessage = ({ data }) => {
  if (data !== 'who') open_.add(data);
  else if (tabID && !isOver) others.postMessage(tabID);
};

function stored(key) {
  try { return JSON.parse(localStorage.getItem(key)) || {}; } catch { return {}; }
}

async function findEntry() {
  try {
    tabID = sessionStorage.getItem('tab');
    // This page was reloaded. A tab that was copied has the name of the first one, which is open.
    if (!tabID || !stored(tabID).isGone) tabID = await freeEntry();
    sessionStorage.setItem('tab', tabID);
    entry = stored(tabID);
    keep({});
    others.postMessage(tabID);
  } catch { tabID = null; }
}

async function freeEntry() {
  const all = Object.keys(localStorage).filter((key) => key.startsWith('tab-'));
  for (const key of all) {
    if (Date.now() - (stored(key).seen || 0) > forgetTime) localStorage.removeItem(key);
  }
  if (all.length) {
    tabID = null;
    others.postMessage('who');
    // Of two that ask at once, the first one says what it takes.
    await new Promise((done) => setTimeout(done, askTime * (1 + Math.random())));
  }
  return all.filter((key) => !open_.has(key) && stored(key).session)
    .sort((a, b) => stored(b).seen - stored(a).seen)[0]
    || 'tab-' + crypto.getRandomValues(new Uint32Array(4)).join('-');
}

function keep(changes) {
  Object.assign(entry, { isGone: false, seen: Date.now() }, changes);
  try { if (tabID) localStorage.setItem(tabID, JSON.stringify(entry)); } catch { tabID = null; }
}

function forget() {
  try { localStorage.removeItem(tabID); } catch { }
  entry = {};
}

addEventListener('pagehide', () => { if (!isOver) keep({ isGone: true }); });
addEventListener('pageshow', (event) => { if (event.persisted && !isOver) { keep({}); connect(); } });

// ---- The connection.

function send(text) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(text);
}

function connect() {
  // A second connection would be a second player.
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const scheme = location.protocol === 'https:' ? 'wss://' : 'ws://';
  socket = new WebSocket(scheme + location.host + '/socket');
  socket.onopen = () => {
    retry = 500;
    send(['h' + rows, columns, entry.secret || '', location.pathname, entry.session || ''].join(' '));
  };
  socket.onmessage = (event) => receive(event.data);
  socket.onclose = () => {
    if (isOver) return;
    say('The connection is lost. Trying again …');
    setTimeout(connect, retry);
    retry = Math.min(retry * 2, 5000);
  };
}

function receive(text) {
  const rest = text.slice(1);
  switch (text[0]) {
    case 'k': keep({ secret: rest }); break;
    case 't': keep({ session: rest }); break;
    case 'b': nameButtons(rest ? rest.split('\n') : []); break;
    case 'f':
      draw(rest);
      showLink();
      sayChoice();
      didDraw();
      break;
    case 's': say(rest); break;
    case 'x':
    case 'e':
      isOver = true;
      if (text[0] === 'e') forget();
      nameButtons([]);
      clear();
      say(rest);
      for (let column = 0; column < rest.length; column += 1) put(1, column + 1, rest[column]);
      for (const [index, letter] of [...'Reload the page to play again.'].entries()) {
        put(3, index + 1, letter);
      }
      break;
  }
}

// Asks for the next frame when this one is on the screen. A page in the background has no screen,
// but its title has to change.
function didDraw() {
  let isDone = false;
  const done = () => {
    if (!isDone) send('a');
    isDone = true;
  };
  if (document.hidden) return done();
  requestAnimationFrame(done);
  setTimeout(done, 200);
}

// ---- Title, icon, sound and link.

function say(text) {
  document.title = text ? text + ' – Tic Tac Toe' : 'Tic Tac Toe';
  $('news').textContent = text;
  const color = /your turn/i.test(text) ? 'green' : 'gray';
  $('icon').href = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    + "<path d='M3 3l10 10M13 3L3 13' stroke='" + color + "' stroke-width='3'/></svg>";
}

// What is highlighted, for a screen reader: the server draws it in reverse.
function sayChoice() {
  const text = cells.map((list) => list.filter((cell) => cell.classList.contains('reversed'))
    .map((cell) => cell.textContent).join('')).join(' ').replace(/\s+/g, ' ').trim();
  if (text === choice) return;
  choice = text;
  $('choice').textContent = text;
}

// What can be clicked, for a screen reader: buttons that nobody sees.
function nameButtons(lines) {
  const list = $('buttons');
  while (list.children.length > lines.length) list.lastChild.remove();
  while (list.children.length < lines.length) {
    const button = document.createElement('button');
    button.tabIndex = -1;
    button.onclick = () => send('m' + button.dataset.at);
    list.append(button);
  }
  lines.forEach((line, index) => {
    const [, at, label] = line.match(/^(\d+ \d+) (.*)$/), button = list.children[index];
    button.dataset.at = at;
    if (button.textContent !== label) button.textContent = label;
  });
}

function ring() {
  if (!sound || !audio) return;
  const tone = audio.createOscillator(), volume = audio.createGain();
  tone.frequency.value = 660;
  volume.gain.value = 0.1;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.15);
}

function link() {
  const text = cells.map((list) => list.map((cell) => cell.textContent).join('')).join('\n');
  const found = text.match(/https?:\/\/\S+\/join\/\w+/);
  return found && found[0];
}

function showLink() { $('copy').hidden = !link(); }

$('copy').onclick = () => {
  const url = link();
  if (!url) return;
  if (navigator.clipboard) navigator.clipboard.writeText(url);
  else { $('text').value = url; $('text').select(); document.execCommand('copy'); $('text').value = ''; }
  $('copy').textContent = 'Copied';
};

$('sound').onclick = () => {
  sound = !sound;
  $('sound').textContent = sound ? 'Sound on' : 'Sound off';
  $('sound').setAttribute('aria-pressed', String(sound));
};

// ---- Keys, text and clicks.

const keys = ['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'ArrowUp', 'ArrowDown', 'ArrowLeft',
  'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

addEventListener('keydown', (event) => {
  if (event.target instanceof HTMLButtonElement || event.isComposing || event.metaKey) return;
  let key = keys.includes(event.key) ? event.key : null;
  if (key === 'Tab' && event.shiftKey) key = 'BackTab';
  if (event.ctrlKey && !event.altKey) {
    const isCopy = event.key === 'c' && !getSelection().isCollapsed;
    key = ['c', 'u', 'w'].includes(event.key) && !isCopy ? 'Ctrl-' + event.key : null;
  } else if (!key && event.key.length === 1 && event.target !== $('text')) {
    event.preventDefault();
    send('t' + event.key);
    return;
  }
  if (!key) return;
  event.preventDefault();
  send('k' + key);
});

$('text').addEventListener('input', (event) => {
  if (event.isComposing) return;
  if ($('text').value) send('t' + $('text').value);
  $('text').value = '';
});
$('text').addEventListener('compositionend', () => {
  if ($('text').value) send('t' + $('text').value);
  $('text').value = '';
});

addEventListener('paste', (event) => {
  event.preventDefault();
  send('p' + event.clipboardData.getData('text').slice(0, 1000));
});

screen_.addEventListener('click', (event) => {
  if (!audio && window.AudioContext) audio = new AudioContext();
  if (!getSelection().isCollapsed) return;
  const at = event.target.dataset.at;
  if (at) send('m' + at);
});

screen_.addEventListener('wheel', (event) => {
  if (!event.ctrlKey) send('kScroll' + (event.deltaY < 0 ? 'Up' : 'Down'));
}, { passive: true });

addEventListener('resize', () => { if (fit()) send('r' + rows + ' ' + columns); });
addEventListener('online', () => { if (socket.readyState === WebSocket.CLOSED) connect(); });
setInterval(() => { if (!isOver) send('i'); }, 2000);

if (location.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) {
  $('warning').hidden = false;
}
fit();
findEntry().then(connect);
screen_.focus();
