import type { DemoState } from './routes.ts';

// The demo panel in the page, as the browser runs it after the types were removed. It uses the page's own colors
// and lives in a shadow root, so neither the page's styles nor its scripts meet it.

const STYLE = `
:host { font: 14px/1.45 var(--mantine-font-family, sans-serif);
  color: var(--mantine-color-text); }
:host(:not([data-closed])) { position: fixed; inset: auto 0 0 0; z-index: 150; }
[hidden] { display: none !important; }
section { background: var(--mantine-color-body); border: 1px solid var(--mantine-color-default-border);
  border-radius: 10px; box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
section { padding: 12px 14px; max-height: 40vh; overflow: auto; border-radius: 10px 10px 0 0; }
.closed { display: flex; gap: 6px; }
header { display: flex; justify-content: space-between; align-items: center; gap: 8px; }
h2 { font-size: 15px; margin: 0; } h3 { font-size: 13px; margin: 14px 0 6px; } p { margin: 6px 0; }
ol { margin: 6px 0; padding: 0; list-style: none; }
li { padding: 4px 0 4px 12px; border-left: 2px solid var(--mantine-color-violet-filled); margin-left: 2px; }
time { display: block; font-size: 12px; color: var(--mantine-color-dimmed); }
button, a { font: inherit; color: inherit; min-height: 36px; padding: 4px 12px; border-radius: 6px;
  border: 1px solid var(--mantine-color-default-border); background: var(--mantine-color-default); cursor: pointer; }
a { display: inline-flex; align-items: center; text-decoration: none; background: var(--mantine-color-violet-filled);
  border-color: transparent; color: #fff; }
:focus-visible { outline: 2px solid var(--mantine-primary-color-filled, #228be6); outline-offset: 2px; }
button[aria-disabled=true] { opacity: .55; cursor: default; }
.row { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 6px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; font-size: 12px; margin: 6px 0; }
summary { cursor: pointer; padding: 4px 0; } .error { color: var(--mantine-color-error); }
.parts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 32px; }
@media (min-width: 62em) { .parts { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (max-width: 40em) { section { max-height: 55vh; } }
@media print { :host { display: none; } }`;

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
const heading = (text: string): HTMLElement => element('h3', {}, text);
const button = (name: string, onclick: () => unknown): HTMLButtonElement =>
  element('button', { type: 'button', textContent: name, onclick });

let state: DemoState = { isReplaying: false, story: [], emails: [] };
const host = document.createElement('demo-panel');
const root = host.attachShadow({ mode: 'open' });

const open = button('Demo', () => show(true));
open.ariaExpanded = 'false';
const signIn = element('a', { href: '/_demo/sign-in', textContent: 'Open the demo' });
const closed = div('closed', signIn, open);

const close = button('Close', () => show(false));
const problem = element('p', { className: 'error', role: 'alert', hidden: true });
const replays = [30, 120].map((seconds) =>
  button(seconds === 30 ? 'In 30 seconds' : 'In 2 minutes', () => {
    if (!state.isReplaying) void ask('replay', { seconds });
  }),
);
const story = element('ol', { ariaLive: 'polite' });
const nextDay = button('Skip to tomorrow 12:01 AM EST', () => ask('next-day', {}));
const noEmails = element('p', {}, 'None yet.');
const emails = element('div');
const panel = element(
  'section',
  { ariaLabel: 'Demo' },
  element('header', {}, element('h2', {}, 'Demo'), close),
  element(
    'p',
    {},
    'Meta, Stripe and email are simulated: the links at the top change them. SmartPause has to notice by itself.',
  ),
  problem,
  div(
    'parts',
    div('', heading('Replay the outage of January 8, 2026'), div('row', ...replays, nextDay), story),
    div('', heading('Emails'), noEmails, emails),
  ),
);

function show(isOpen: boolean): void {
  root.replaceChildren(isOpen ? panel : closed);
  // A login ends at an address with its token, which the app is about to store.
  const isLoggedIn = localStorage.getItem('authToken') !== null || location.search.includes('token=');
  signIn.hidden = location.pathname !== '/' || isLoggedIn;
  host.toggleAttribute('data-closed', !isOpen);
  update();
  (isOpen ? close : open).focus({ preventScroll: true });
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
  for (const replay of replays) replay.ariaDisabled = String(state.isReplaying);
  const lines = story.children.length;
  fill(story, state.story, ({ at, text }) => element('li', {}, element('time', {}, inNewYork(at)), text));
  if (lines > 0 && story.children.length > lines)
    story.lastElementChild?.scrollIntoView({ block: 'nearest' });
  noEmails.hidden = state.emails.length > 0;
  fill(emails, state.emails, ({ to, subject, text }) =>
    element('details', {}, element('summary', {}, `To ${to}: ${subject}`), element('pre', {}, text)),
  );
  // The whole page can be scrolled above the open panel.
  document.body.style.paddingBottom = panel.isConnected ? `${host.offsetHeight}px` : '';
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

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
root.adoptedStyleSheets = [sheet];
host.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && panel.isConnected) show(false);
});
setInterval(() => {
  if (panel.isConnected && !document.hidden) void ask('state');
}, 1000);
show(false);
document.querySelector('aside.demo')?.append(host);
