// Draws the cells that the server sends, and sends keys, text, clicks and the size of the window.
// It knows nothing of the game.
'use strict';

const $ = (id) => document.getElementById(id);
const screen_ = $('screen');
const minColumns = 40, maxColumns = 160, minRows = 12, maxRows = 60, minFont = 0.7;
let socket = null, rows = 0, columns = 0, cells = [], cursor = null;
let isOver = false, retry = 500, fullRetry = 5000, asked = 0, refusal = '';
let path = location.pathname, link = '', sound = true, audio = null;
let choice = '', pen = '', isTyping = false, usesTab = false, wheeled = 0;

// ---- The grid.

function measure() {
  const probe = screen_.appendChild(document.createElement('span'));
  probe.textContent = '0';
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
  const wide = Math.max(minColumns, Math.min(maxColumns, Math.floor(width / box.width)));
  const high = Math.max(minRows, Math.min(maxRows, Math.floor(height / box.height)));
  // The keyboard of a phone takes only rows. The grid stays under it, and scrolls to the cursor.
  if (wide === columns && (high === rows || isTyping && high < rows)) return false;
  [columns, rows] = [wide, high];
  makeGrid();
  return true;
}

function makeGrid() {
  screen_.replaceChildren();
  cells = Array.from({ length: rows }, (_, row) => {
    const line = screen_.appendChild(document.createElement('div'));
    line.role = 'img';
    return Array.from({ length: columns }, (_, column) => {
      const cell = line.appendChild(document.createElement('span'));
      [cell.textContent, cell.dataset.at, cell.ariaHidden] = [' ', row + ' ' + column, 'true'];
      return cell;
    });
  });
}

// ---- Frames: the subset of ECMA-48 that the server writes. Before a character of several code
// points, or one of another width than 1, it says the width.

function draw(text) {
  let row = 0, column = 0, width = 0;
  for (const piece of text.split(/(\x1b\[[?0-9;]*[A-Za-z]|\x07)/)) {
    if (piece === '\x07') ring();
    else if (piece !== '' && piece[0] !== '\x1b') {
      for (const character of width ? [piece] : piece) {
        put(row, column, character, width === 2);
        column += width || 1;
      }
      width = 0;
    }
    if (piece[0] !== '\x1b') continue;
    const kind = piece.at(-1), numbers = piece.slice(2, -1).split(';').map(Number);
    if (kind === 'H') { row = numbers[0] - 1; column = numbers[1] - 1; }
    if (kind === 'J') makeGrid();
    if (kind === 'm') setPen(numbers);
    if (kind === 'w') width = Math.max(1, numbers[0]);
    if (kind === 'l') showCursor(null);
    if (kind === 'h') showCursor([row, column]);
  }
}

const looks = { 1: 'bold', 2: 'dim', 4: 'under', 7: 'reversed' };

function setPen(codes) {
  pen = codes.map((code) => looks[code]
    || (code >= 90 ? 'c' + (code - 82) : code >= 30 ? 'c' + (code - 30) : '')).join(' ');
}

function put(row, column, text, wide) {
  const cell = cells[row] && cells[row][column];
  if (!cell) return;
  const next = cells[row][column + 1], wasWide = cell.classList.contains('wide');
  cell.textContent = text;
  cell.className = pen + (wide ? ' wide' : '');
  if (next && (wide || wasWide)) { next.className = wide ? 'none' : ''; next.textContent = ' '; }
}

function showCursor(at) {
  if (cursor) cursor.classList.remove('cursor');
  cursor = at && cells[at[0]] ? cells[at[0]][at[1]] : null;
  if (cursor) cursor.classList.add('cursor');
  if (cursor && isTyping) cursor.scrollIntoView({ block: 'nearest' });
}

// ---- What this browser keeps for this origin: for each tab the secret with which it is found
// again, and the session's token for later. A new tab goes on where one has ended that nobody uses:
// an open page has a lock, even if it is frozen. Where browsers have no locks, because the page is
// not encrypted, it answers when it is asked. Without storage, a reload starts a new session.

const forgetTime = 24 * 3600 * 1000, askTime = 250;
const others = new BroadcastChannel('tabs'), open_ = new Set();
let tabID = null, entry = {}, unlock = () => {};

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
    else lock(tabID, {}); // As soon as the page before has ended.
    sessionStorage.setItem('tab', tabID);
    entry = stored(tabID);
    keep({});
    others.postMessage(tabID);
  } catch { tabID = null; }
}

// Returns whether this page now has, until it ends, the lock of a name.
function lock(name, options) {
  return new Promise((done) => navigator.locks?.request(name, options, (taken) => {
    done(taken !== null);
    return taken && new Promise((end) => { unlock = end; });
  }) ?? done(!open_.has(name)));
}

async function freeEntry() {
  const all = Object.keys(localStorage).filter((key) => key.startsWith('tab-'));
  for (const key of all)
    if (Date.now() - (stored(key).seen || 0) > forgetTime) localStorage.removeItem(key);
  tabID = null;
  if (all.length && !navigator.locks) {
    others.postMessage('who');
    // Of two that ask at once, the first one says what it takes.
    await new Promise((done) => setTimeout(done, askTime * (1 + Math.random())));
  }
  const name = 'tab-' + crypto.getRandomValues(new Uint32Array(4)).join('-');
  const kept = all.filter((key) => stored(key).session);
  for (const key of [...kept.sort((a, b) => stored(b).seen - stored(a).seen), name])
    if (await lock(key, { ifAvailable: true })) return key;
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
addEventListener('pageshow', (event) => { if (event.persisted && !isOver) keep({}), connect(); });

// ---- The connection.

function send(text) { if (socket?.readyState === WebSocket.OPEN) socket.send(text); }

function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return; // It would be a second player.
  socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
  asked = Date.now();
  socket.onopen = () =>
    send(['h' + rows, columns, entry.secret || '', path, entry.session || ''].join(' '));
  socket.onmessage = (event) => receive(event.data);
  socket.onclose = didClose;
}

// Tries again: soon, or, if there was no room, in a while.
function didClose(event) {
  if (isOver) return;
  showTurn(false);
  say(refusal || 'The connection is lost. Trying again …');
  draw('\x1b[' + rows + ';1H\x1b[0;7m' + $('news').textContent.padEnd(columns) + '\x1b[0m');
  const isFull = event?.code === 1013;
  setTimeout(connect, isFull ? fullRetry : retry);
  if (isFull) fullRetry = Math.min(fullRetry * 2, 60000); else retry = Math.min(retry * 2, 5000);
  [asked, refusal] = [0, ''];
}

// In a tunnel a connection is lost without a sign. The timers of a page in the background hardly
// run, so what counts is the time since a question, or the attempt to connect.
function ask() {
  if (isOver || !asked && socket?.readyState !== WebSocket.OPEN) return;
  asked ||= Date.now();
  if (Date.now() - asked <= 10000) return send('i');
  socket.onclose = socket.onmessage = socket.onopen = null;
  socket.close();
  didClose();
}

function receive(text) {
  const rest = text.slice(1);
  asked = 0;
  switch (text[0]) {
    case 'k': keep({ secret: rest }); [retry, fullRetry, path] = [500, 5000, '/']; break;
    case 't': keep({ session: rest }); break;
    case 'b': nameButtons(rest ? rest.split('\n') : []); break;
    case 'f': draw(rest); nameLines(); didDraw(); break;
    case 's': say(...rest.split('\n')); break;
    case 'y': showTurn(rest === '1'); break;
    case 'l': link = rest; $('copy').hidden = !link; break;
    case 'w': usesTab = rest[1] === '1'; setTyping(rest[0] === '1'); break;
    case 'n': refusal = rest; break;
    case 'x': case 'e':
      isOver = true; unlock();
      if (text[0] === 'e') forget();
      nameButtons([]); showTurn(false); say(rest);
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
  $('news').textContent = [text, ...more].join('. ').replace(/([.…?!])\. /g, '$1 ');
}

function showTurn(isTurn) {
  $('icon').href = $('icon').href.replace(/gray|green/, isTurn ? 'green' : 'gray');
}

// A screen reader reads lines, not cells, and hears what is highlighted: it is drawn in reverse.
function nameLines() {
  const plain = (list) => list.map((cell) => cell.textContent).join('')
    .replace(/[\s─-╰]+/g, ' ').trim(); // Without the frame of a board.
  const marked = cells.map((list, row) => {
    const line = screen_.children[row], text = plain(list);
    if (line.ariaLabel !== text) [line.ariaLabel, line.ariaHidden] = [text, String(!text)];
    return plain(list.filter((cell) => cell.classList.contains('reversed')));
  }).filter((text) => text).join(' ');
  if (marked !== choice) $('choice').textContent = choice = marked;
}

// What can be clicked, for a screen reader: buttons that nobody sees.
function nameButtons(lines) {
  const list = $('buttons');
  while (list.children.length > lines.length) list.lastChild.remove();
  while (list.children.length < lines.length)
    list.appendChild(document.createElement('button')).tabIndex = -1;
  lines.forEach((line, index) => {
    const [, at, label] = line.match(/^(\d+ \d+) (.*)$/), button = list.children[index];
    button.dataset.at = at;
    if (button.textContent !== label) button.textContent = label;
  });
}

// Browsers allow sound only after a key or a tap.
for (const kind of ['pointerup', 'keydown'])
  addEventListener(kind, () => (audio ||= new AudioContext()).resume(), true);

function ring() {
  if (!sound || !audio) return;
  const tone = audio.createOscillator(), volume = audio.createGain();
  [tone.frequency.value, volume.gain.value] = [660, 0.1];
  tone.connect(volume).connect(audio.destination);
  tone.start(); tone.stop(audio.currentTime + 0.15);
}

$('copy').onclick = () => {
  if (navigator.clipboard) navigator.clipboard.writeText(link);
  else { $('text').value = link; $('text').select(); document.execCommand('copy'); clearText(); }
  $('copy').textContent = 'Copied';
  setTimeout(() => { $('copy').textContent = 'Copy the link'; }, 2000);
  screen_.focus();
};

function setSound(on) {
  sound = on;
  [$('sound').textContent, $('sound').ariaPressed] = [on ? 'Sound on' : 'Sound off', String(on)];
}

$('sound').onclick = () => {
  setSound(!sound);
  try { localStorage.setItem('sound', sound ? 'on' : 'off'); } catch { }
  screen_.focus();
};

// ---- Keys, text and clicks.

const keys = ['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'ArrowUp', 'ArrowDown', 'ArrowLeft',
  'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];

addEventListener('keydown', (event) => {
  // A key that composes a word has the code 229.
  if (event.target instanceof HTMLButtonElement || event.metaKey || event.keyCode === 229) return;
  let key = keys.includes(event.key) ? event.key : null;
  if (key === 'Tab' && !usesTab) return; // To the buttons of the page.
  if (key === 'Tab' && event.shiftKey) key = 'BackTab';
  if (event.altKey && !event.ctrlKey && (key || /^\w$/.test(event.key))) return; // Of the menus.
  if (event.ctrlKey && !event.altKey) {
    const isCopy = event.key === 'c' && !getSelection().isCollapsed;
    key = ['c', 'u', 'w'].includes(event.key) && !isCopy ? 'Ctrl-' + event.key : null;
    if (!key) return;
  }
  if (!key && (event.key.length !== 1 || event.target === $('text'))) return;
  event.preventDefault();
  send(key ? 'k' + key : 't' + event.key);
});

// The keyboard of a phone composes words in the field, and names no keys: what differs from what
// was sent is sent. A character that nobody sees lets Backspace remove something.
const filler = '\u200b', maxText = 1000;
const parts = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
let typed = [];

function sendTyped() {
  const value = $('text').value;
  const now = [...parts.segment(value.replace(filler, ''))].map((part) => part.segment);
  let same = 0;
  while (same < typed.length && typed[same] === now[same]) same += 1;
  for (let count = typed.length - same; count > 0; count -= 1) send('kBackspace');
  if (now.length > same) send('t' + now.slice(same).join('').slice(0, maxText));
  if (!value && !typed.length) send('kBackspace');
  typed = now;
}

function clearText() { typed = []; $('text').value = filler; }

for (const kind of ['input', 'compositionend']) $('text').addEventListener(kind, (event) => {
  sendTyped();
  if (!event.isComposing) clearText();
});

// While somebody types, the field has the focus: a phone shows its keyboard and composes words.
function setTyping(now) {
  const isOnScreen = [screen_, $('text'), document.body].includes(document.activeElement);
  if (now !== isTyping && isOnScreen) (now ? $('text') : screen_).focus();
  isTyping = now;
  if (!now) resize();
}

addEventListener('paste', (event) => {
  event.preventDefault();
  send('p' + event.clipboardData.getData('text').slice(0, maxText));
});

function press({ target }) { if (target.dataset.at) send('m' + target.dataset.at); }

$('buttons').addEventListener('click', press);
screen_.addEventListener('click', (event) => {
  if (!getSelection().isCollapsed) return;
  press(event);
  if (!isTyping) return;
  screen_.focus(); // A field that has the focus already shows no keyboard.
  $('text').focus();
});

screen_.addEventListener('wheel', (event) => { // Of some mice, it turns more often than a key may.
  if (event.ctrlKey || event.timeStamp - wheeled < 30) return;
  wheeled = event.timeStamp;
  send('kScroll' + (event.deltaY < 0 ? 'Up' : 'Down'));
}, { passive: true });

function resize() { // An enlarged page is not smaller.
  document.body.style.height = Math.round(visualViewport.height * visualViewport.scale) + 'px';
  if (fit()) send('r' + rows + ' ' + columns);
  else showCursor(cursor && cursor.dataset.at.split(' '));
}

for (const part of [window, visualViewport]) part.addEventListener('resize', resize);
addEventListener('online', () => { if (socket.readyState === WebSocket.CLOSED) connect(); });
setInterval(ask, 2000);

$('warning').hidden = isSecureContext;
try { setSound(localStorage.getItem('sound') !== 'off'); } catch { }
clearText();
resize();
screen_.focus();
findEntry().then(connect);
