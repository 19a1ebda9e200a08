import type { DemoState } from './routes.ts';

// The demo panel in the page, as the browser runs it after the types were removed. It uses the page's own colors
// and lives in a shadow root, so neither the page's styles nor its scripts meet it.

/** How long the replayed outage lasts: enough to look around in it. */
const SECONDS = 60;
/** In the tab's storage: the panel is open, or a replay begins with the next page. */
const KEPT = 'demo';

/** Beside the page where its widest layout (75em) has room, which media queries measure by the window; else a bar that opens. */
const WIDE = '(min-width: 93.75em)';
const STYLE = `
:host { font: 14px/1.45 var(--mantine-font-family, sans-serif); color: var(--mantine-color-text); }
[hidden] { display: none !important; } * { box-sizing: border-box; }
section { position: fixed; z-index: 150; inset: auto 0 0 0; max-height: 60dvh; display: flex; flex-direction: column;
  background: var(--mantine-color-body); border: 0 solid var(--mantine-color-default-border); border-top-width: 1px;
  box-shadow: 0 0 16px rgb(0 0 0 / 12%); }
header { display: flex; flex: none; align-items: center; gap: 8px; padding: 8px 16px; }
.title { flex: 1; min-width: 0; }
.latest { margin: 0; font-size: 12px; color: var(--mantine-color-dimmed);
  overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.body { overflow: auto; padding: 0 16px 16px; overscroll-behavior: contain; }
section:not([data-unfolded]) .body { display: none; }
h2 { font-size: 15px; margin: 0; } h3 { font-size: 13px; margin: 20px 0 6px; } p { margin: 6px 0; }
ol { margin: 12px 0; padding: 0; list-style: none; }
li { padding: 0 0 12px 12px; border-left: 2px solid var(--mantine-color-violet-filled); }
time { display: block; font-size: 12px; color: var(--mantine-color-dimmed); }
button { font: inherit; color: inherit; min-height: 36px; padding: 4px 12px; border-radius: 6px; white-space: nowrap;
  border: 1px solid var(--mantine-color-default-border); background: var(--mantine-color-default); cursor: pointer; }
.start { background: var(--mantine-color-violet-filled); border-color: transparent; color: #fff; }
:focus-visible { outline: 2px solid var(--mantine-primary-color-filled, #228be6); outline-offset: 2px; }
button[aria-disabled=true] { opacity: .55; cursor: default; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; font-size: 12px; margin: 6px 0; }
summary { cursor: pointer; padding: 4px 0; overflow-wrap: anywhere; } .error { color: var(--mantine-color-error); }
@media ${WIDE} {
  section { inset: 0 0 0 auto; width: 300px; max-height: none; border-width: 0 0 0 1px; box-shadow: none; }
  section .body { display: block !important; } .latest, .unfold { display: none; } }
@media print { :host { display: none; } }`;

/** Makes room in the page while the panel is open. */
const PAGE_STYLE = `
@media not print {
  @media ${WIDE} { [data-demo] { --demo-rail: 300px; } }
  @media not ${WIDE} { [data-demo] { --demo-bar: 60px; } }
  [data-demo] body { padding-right: var(--demo-rail, 0); }
  [data-demo] body:not(:has(.mantine-Notification-root)) { padding-bottom: var(--demo-bar, 0); } }`;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const div = (className: string, ...children: Node[]): HTMLElement =>
  element('div', { className }, ...children);
const button = (name: string, onclick: () => unknown): HTMLButtonElement =>
  element('button', { type: 'button', textContent: name, onclick });

let state: DemoState = { isReplaying: false, story: [], emails: [], isEmailDue: false };
const host = document.createElement('demo-panel');
const root = host.attachShadow({ mode: 'open' });

/** In the bar at the top, or in the open panel. */
const start = button('Replay January 8', () => {
  // A login ends at an address with its token, which the app is about to store.
  const isLoggedIn = localStorage.getItem('authToken') !== null || location.search.includes('token=');
  const wasOpen = panel.isConnected;
  if (isLoggedIn) show(true);
  if (state.isReplaying || (!wasOpen && state.story.length > 0)) return;
  if (isLoggedIn) void ask('replay', { seconds: SECONDS });
  else {
    sessionStorage.setItem(KEPT, 'start');
    location.assign('/_demo/sign-in');
  }
});
start.className = 'start';
const close = button('Close', () => show(false));
const unfold = button('Details', () => {
  const isUnfolded = panel.toggleAttribute('data-unfolded');
  unfold.ariaExpanded = String(isUnfolded);
  unfold.textContent = isUnfolded ? 'Hide' : 'Details';
});
unfold.className = 'unfold';
unfold.ariaExpanded = 'false';
const latest = element('p', { className: 'latest' });
const problem = element('p', { className: 'error', role: 'alert', hidden: true });
const story = element('ol', { ariaLive: 'polite' });
const nextDay = button('Skip to tomorrow 12:01 AM EST', async () => {
  await ask('next-day', {});
  if (!problem.hidden) return;
  // Of a page that sleeps for a day, everything is old.
  tabs.postMessage('reload');
  location.reload();
});
const noEmails = element('p');
const emails = element('div');
const panel = element(
  'section',
  { ariaLabel: 'Demo' },
  element('header', {}, div('title', element('h2', {}, 'Outage of January 8'), latest), unfold, close),
  div(
    'body',
    element(
      'p',
      {},
      'Replay the outage of January 8, 2026, in one minute. SmartPause reads it from the simulated status page.',
    ),
    problem,
    start,
    story,
    nextDay,
    element('h3', {}, 'Emails'),
    noEmails,
    emails,
  ),
);

function show(isOpen: boolean): void {
  if (isOpen) panel.lastElementChild?.insertBefore(start, story);
  root.replaceChildren(isOpen ? panel : start);
  document.documentElement.toggleAttribute('data-demo', isOpen);
  if (isOpen) sessionStorage.setItem(KEPT, 'open');
  else sessionStorage.removeItem(KEPT);
  update();
  start.focus({ preventScroll: true });
  if (isOpen) void ask('state');
}

async function ask(path: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const order = { method: 'POST', headers, body: JSON.stringify(body) };
  try {
    const answer = await fetch(`/_demo/${path}`, body === undefined ? {} : order);
    if (!answer.ok) throw new Error(`the demo answered ${answer.status}`);
    state = (await answer.json()) as DemoState;
    problem.hidden = true;
  } catch (error) {
    problem.textContent = `This did not work: ${error instanceof Error ? error.message : String(error)}.`;
    problem.hidden = false;
  }
  update();
}

function update(): void {
  // A button with `disabled` loses the focus, and then Escape closes the panel no more.
  start.ariaDisabled = String(panel.isConnected && state.isReplaying);
  start.textContent = panel.isConnected || state.story.length === 0 ? 'Replay January 8' : 'Show the replay';
  latest.textContent = state.story.at(-1)?.text ?? '';
  const lines = story.children.length;
  fill(story, state.story, ({ at, text }) => element('li', {}, element('time', {}, inNewYork(at)), text));
  if (lines > 0 && story.children.length > lines)
    story.lastElementChild?.scrollIntoView({ block: 'nearest' });
  noEmails.hidden = state.emails.length > 0 && !state.isEmailDue;
  noEmails.textContent = state.isEmailDue ? 'One is on its way.' : 'None yet.';
  fill(emails, state.emails, ({ to, subject, text }) =>
    element('details', {}, element('summary', {}, `To ${to}: ${subject}`), element('pre', {}, text)),
  );
}

/** Leaves what is unchanged alone, so that focus and selection stay. Unchanged items keep their order. */
function fill<Item>(parent: HTMLElement, items: readonly Item[], make: (item: Item) => HTMLElement): void {
  const contents = items.map((item) => JSON.stringify(item));
  const isShown = (child: Element | undefined, content: string) =>
    child instanceof HTMLElement && child.dataset['content'] === content;
  for (const child of [...parent.children])
    if (!contents.some((content) => isShown(child, content))) child.remove();
  for (const [index, item] of items.entries()) {
    const content = contents[index] ?? '';
    if (isShown(parent.children[index], content)) continue;
    const made = make(item);
    made.dataset['content'] = content;
    parent.insertBefore(made, parent.children[index] ?? null);
  }
}

/** As on SmartPause's own pages: New York time, labelled EST. */
function inNewYork(at: number): string {
  return `${new Date(at).toLocaleTimeString('en-US', { timeZone: 'America/New_York' })} EST`;
}

function sheetOf(style: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  return sheet;
}

root.adoptedStyleSheets = [sheetOf(STYLE)];
document.adoptedStyleSheets.push(sheetOf(PAGE_STYLE));
host.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && panel.isConnected) show(false);
});
setInterval(() => {
  if (panel.isConnected && !document.hidden) void ask('state');
}, 1000);
const tabs = new BroadcastChannel('demo');
tabs.onmessage = () => location.reload();
const kept = sessionStorage.getItem(KEPT);
show(kept !== null);
// Only now: the page keeps the focus.
document.querySelector('aside.demo')?.append(host);
if (kept === 'start') void ask('replay', { seconds: SECONDS });
