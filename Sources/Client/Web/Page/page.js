// Draws the cells that the server sends, and sends keys, text, clicks and the size of the window.
// It knows nothing of the game.
'use strict';

const $ = (id) => document.getElementById(id);
const screen_ = $('screen');
const minColumns = 40, maxColumns = 160, minRows = 12, maxRows = 60, minFont = 0.7;
let socket = null, rows = 0, columns = 0, cells = [], cursor = null;
let isOver = false, retry = 500, sound = true, audio = null;
let choice = '', pen = '', isTyping = false;

// ---- The grid.

function measure() {
  const probe = document.createElement('span');
  probe.textContent = '0';
  screen_.append(probe);
  const box = probe.getBoundingClientRect();
  probe.remove();
  return box;
}

// A narrow window gets a smaller font, so that 40 columns fit. Where a person has enlarged the page
// so much that they do not, it scrolls.
function fit() {
  screen_.style.overflow = 'hidden';
  screen_.style.fontSize = '1rem';
  let box = measure();
  const width = screen_.clientWidth, height = screen_.clientHeight;
  if (width / box.width < minColumns) {
    const size = Math.floor(width / (box.width * minColumns) * 64) / 64;
    screen_.style.fontSize = Math.max(minFont, size) + 'rem';
    box = measure();
  }
  screen_.style.overflow = '';
  const newColumns = Math.max(minColumns, Math.min(maxColumns, Math.floor(width / box.width)));
  const newRows = Math.max(minRows, Math.min(maxRows, Math.floor(height / box.height)));
  if (newColumns === columns && newRows === rows) return false;
  [columns, rows] = [newColumns, newRows];
  makeGrid();
  return true;
}

function makeGrid() {
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = document.createElement('div');
    if (row === rows - 1) line.className = 'last';
    line.append(...Array.from({ length: columns }, (_, column) => {
      const cell = document.createElement('span');
      cell.textContent = ' ';
      cell.dataset.at = row + ' ' + column;
      return cell;
    }));
    return line;
  });
  cells = lines.map((line) => [...line.children]);
  screen_.replaceChildren(...lines);
}

function clear() {
  for (const cell of cells.flat()) { cell.textContent = ' '; cell.className = ''; }
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

const looks = { 1: 'bold', 2: 'dim', 4: 'under', 7: 'reversed' };

function setPen(codes) {
  pen = codes.map((code) => looks[code]
    || (code >= 90 ? 'c' + (code - 82) : code >= 30 ? 'c' + (code - 30) : ''))
    .filter((name) => name).join(' ');
}

function put(row, column, text) {
  const cell = cells[row] && cells[row][column];
  if (!cell) return;
  const wide = isWide(text), next = cells[row][column + 1];
  const wasWide = cell.classList.contains('wide');
  cell.textContent = text;
  cell.className = pen + (wide ? ' wide' : '');
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

function send(text) { if (socket?.readyState === WebSocket.OPEN) socket.send(text); }

function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return; // It would be a second player.
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
      $('copy').hidden = !link();
      sayChoice();
      didDraw();
      break;
    case 's': say(...rest.split('\n')); break;
    case 'w': setTyping(rest === '1'); break;
    case 'x': case 'e':
      isOver = true;
      if (text[0] === 'e') forget();
      nameButtons([]);
      say(rest);
      draw('\x1b[0m\x1b[2J\x1b[2;2H' + rest + '\x1b[4;2HReload the page to play again.');
  }
}

// Asks for the next frame when this one is on the screen. A page in the background has no screen,
// but its title has to change.
function didDraw() {
  let answer = 'a';
  const done = () => { if (answer) send(answer); answer = null; };
  if (document.hidden) return done();
  requestAnimationFrame(done);
  setTimeout(done, 200);
}

// ---- Title, icon, sound and link.

function say(text, ...more) {
  document.title = text ? text + ' – Tic Tac Toe' : 'Tic Tac Toe';
  $('news').textContent = [text, ...more].join('. ');
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

// Browsers allow sound only after a key or a tap.
for (const kind of ['pointerup', 'keydown']) {
  addEventListener(kind, () => {
    audio ||= new AudioContext();
    if (audio.state === 'suspended') audio.resume();
  }, true);
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

// On a narrow screen, the link may be cut.
function link() {
  const code = screen_.textContent.match(/this code: (\w+)/);
  return code && location.origin + '/join/' + code[1];
}

$('copy').onclick = () => {
  const url = link();
  if (!url) return;
  if (navigator.clipboard) navigator.clipboard.writeText(url);
  else { $('text').value = url; $('text').select(); document.execCommand('copy'); clearText(); }
  $('copy').textContent = 'Copied';
  setTimeout(() => { $('copy').textContent = 'Copy the link'; }, 2000);
  screen_.focus();
};

$('sound').onclick = () => {
  sound = !sound;
  $('sound').textContent = sound ? 'Sound on' : 'Sound off';
  $('sound').setAttribute('aria-pressed', String(sound));
  screen_.focus();
};

// ---- Keys, text and clicks.

const keys = ['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'ArrowUp', 'ArrowDown', 'ArrowLeft',
  'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

addEventListener('keydown', (event) => {
  const isComposed = event.keyCode === 229;
  if (event.target instanceof HTMLButtonElement || event.metaKey || isComposed) return;
  let key = keys.includes(event.key) ? event.key : null;
  if (key === 'Tab' && event.shiftKey) key = 'BackTab';
  if (event.ctrlKey && !event.altKey) {
    const isCopy = event.key === 'c' && !getSelection().isCollapsed;
    key = ['c', 'u', 'w'].includes(event.key) && !isCopy ? 'Ctrl-' + event.key : null;
  } else if (event.altKey && !event.ctrlKey && (key || /^\w$/.test(event.key))) {
    return; // Of the browser's menus.
  } else if (!key && event.key.length === 1 && event.target !== $('text')) {
    event.preventDefault();
    send('t' + event.key);
    return;
  }
  if (!key) return;
  event.preventDefault();
  send('k' + key);
});

// The keyboard of a phone composes words in the field, and names no keys: what differs from what was
// sent is sent. A character that nobody sees lets Backspace remove something.
const filler = '\u200b';
let typed = [];

function sendTyped() {
  const value = $('text').value;
  const now = [...parts.segment(value.replace(filler, ''))].map((part) => part.segment);
  let same = 0;
  while (same < typed.length && typed[same] === now[same]) same += 1;
  for (let count = typed.length - same; count > 0; count -= 1) send('kBackspace');
  if (now.length > same) send('t' + now.slice(same).join(''));
  if (!value && !typed.length) send('kBackspace');
  typed = now;
}

function clearText() { typed = []; $('text').value = filler; }

for (const kind of ['input', 'compositionend']) {
  $('text').addEventListener(kind, (event) => {
    sendTyped();
    if (!event.isComposing) clearText();
  });
}

// After a tap, a phone shows its keyboard for the field, until nothing is typed any more.
function setTyping(now) {
  isTyping = now;
  if (!now && document.activeElement === $('text')) screen_.focus();
}

addEventListener('paste', (event) => {
  event.preventDefault();
  send('p' + event.clipboardData.getData('text').slice(0, 1000));
});

screen_.addEventListener('click', (event) => {
  if (!getSelection().isCollapsed) return;
  const at = event.target.dataset.at;
  if (at) send('m' + at);
  if (!isTyping) return;
  screen_.focus(); // A field that has the focus already shows no keyboard.
  $('text').focus();
});

screen_.addEventListener('wheel', (event) => {
  if (!event.ctrlKey) send('kScroll' + (event.deltaY < 0 ? 'Up' : 'Down'));
}, { passive: true });

// The keyboard of a phone leaves less room; an enlarged page is not smaller.
function resize() {
  document.body.style.height = Math.round(visualViewport.height * visualViewport.scale) + 'px';
  if (fit()) send('r' + rows + ' ' + columns);
}

addEventListener('resize', resize);
visualViewport.addEventListener('resize', resize);
addEventListener('online', () => { if (socket.readyState === WebSocket.CLOSED) connect(); });
setInterval(() => { if (!isOver) send('i'); }, 2000);

if (location.protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) {
  $('warning').hidden = false;
}
clearText();
resize();
findEntry().then(connect);
screen_.focus();
