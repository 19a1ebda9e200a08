import type { DemoState } from './routes.ts';

// The demo panel in the page, as the browser runs it after the types were removed. It uses the page's own colors
// and lives in a shadow root, so neither the page's styles nor its scripts meet it.

const STYLE = `
:host { position: fixed; inset: auto 16px 16px auto; z-index: 150; max-width: calc(100vw - 32px); width: 22rem;
  font: 14px/1.45 var(--mantine-font-family, sans-serif); color: var(--mantine-color-text); }
:host([data-closed]) { width: auto; }
section, .open { background: var(--mantine-color-body); border: 1px solid var(--mantine-color-default-border);
  border-radius: 10px; box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
section { padding: 12px 14px; max-height: 40vh; overflow: auto; border-radius: 10px 10px 0 0; }
header { display: flex; justify-content: space-between; align-items: center; gap: 8px; }
h2 { font-size: 15px; margin: 0; } h3 { font-size: 13px; margin: 14px 0 6px; }
p { margin: 6px 0; } ol { margin: 6px 0; padding: 0; list-style: none; }
li { padding: 4px 0 4px 12px; border-left: 2px solid var(--mantine-color-violet-filled); margin-left: 2px; }
time { display: block; font-size: 12px; color: var(--mantine-color-dimmed); }
button, a.button, select { font: inherit; color: inherit; min-height: 36px; padding: 4px 12px; border-radius: 6px;
  border: 1px solid var(--mantine-color-default-border); background: var(--mantine-color-default); cursor: pointer; }
a.button { display: inline-flex; align-items: center; text-decoration: none; }
a.primary { background: var(--mantine-color-violet-filled); border-color: transparent; color: #fff; }
button:focus-visible, a:focus-visible, select:focus-visible, summary:focus-visible {
  outline: 2px solid var(--mantine-primary-color-filled, #228be6); outline-offset: 2px; }
button[disabled] { opacity: .55; cursor: default; }
.row { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 6px; } select { flex: 1 1 100%; min-width: 0; }
.open { display: flex; gap: 6px; padding: 6px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; font-size: 12px; margin: 6px 0; }
summary { cursor: pointer; padding: 4px 0; } .error { color: var(--mantine-color-error); }
:host(:not([data-closed])) { inset: auto 0 0 0; width: 100vw; max-width: none; }
.parts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 32px; }
@media (min-width: 62em) { .parts { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
@media (max-width: 40em) { section { max-height: 55vh; } }
@media print { :host { display: none; } }`;

type Child = Node | string | null;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  given: Partial<HTMLElementTagNameMap[Name]> & { class?: string; onclick?: () => void } = {},
  children: Child[] = [],
): HTMLElementTagNameMap[Name] {
  const { class: names = '', ...properties } = given;
  const made = Object.assign(document.createElement(name), properties);
  if (names !== '') made.className = names;
  made.append(...children.filter((child) => child !== null));
  return made;
}

class DemoPanel extends HTMLElement {
  #state: DemoState | null = null;
  #isOpen = false;
  #error = '';
  #chosen = '';
  #drawn = '';
  readonly #root = this.attachShadow({ mode: 'open' });

  connectedCallback(): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#isOpen) this.#show(false);
    });
    this.#draw();
    setInterval(() => {
      if (this.#isOpen && !document.hidden) void this.#ask('GET', 'state');
    }, 1000);
  }

  #show(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#draw();
    this.#root.querySelector<HTMLElement>(isOpen ? '[data-close]' : '[data-open]')?.focus();
    if (isOpen) void this.#ask('GET', 'state');
  }

  async #ask(method: 'GET' | 'POST', path: string, body?: object): Promise<void> {
    try {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(
        `/_demo/${path}`,
        method === 'GET' ? {} : { method, headers, body: JSON.stringify(body ?? {}) },
      );
      if (!answer.ok) throw new Error(`the demo answered ${answer.status}`);
      this.#state = (await answer.json()) as DemoState;
      this.#error = '';
    } catch (error) {
      this.#error = `This did not work: ${error instanceof Error ? error.message : String(error)}.`;
    }
    this.#draw();
  }

  /** Redraws what has changed, and keeps the focus. */
  #draw(): void {
    const drawn = JSON.stringify([this.#isOpen, this.#error, this.#chosen, { ...this.#state, now: 0 }]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const focused = this.#root.activeElement?.getAttribute('data-name') ?? null;
    const opened = [...this.#root.querySelectorAll('details[open]')].map((one) =>
      one.getAttribute('data-mail'),
    );
    this.toggleAttribute('data-closed', !this.#isOpen);
    this.#root.replaceChildren(this.#isOpen ? this.#panel() : this.#closed());
    // The whole page can be scrolled above the open panel.
    document.body.style.paddingBottom = this.#isOpen ? `${this.offsetHeight}px` : '';
    for (const one of this.#root.querySelectorAll('details'))
      if (opened.includes(one.getAttribute('data-mail'))) one.open = true;
    if (focused !== null) this.#root.querySelector<HTMLElement>(`[data-name="${focused}"]`)?.focus();
  }

  #closed(): HTMLElement {
    const open = this.#button('Demo', () => this.#show(true));
    open.setAttribute('data-open', '');
    open.setAttribute('aria-expanded', 'false');
    const isVisitor = location.pathname === '/' && localStorage.getItem('authToken') === null;
    return element('div', { class: 'open' }, [isVisitor ? this.#signIn() : null, open]);
  }

  #signIn(): HTMLElement {
    return element('a', {
      class: 'button primary',
      href: '/_demo/sign-in',
      textContent: 'Open the demo',
    });
  }

  #button(name: string, act: () => void, isDisabled = false): HTMLButtonElement {
    const button = element('button', {
      type: 'button',
      textContent: name,
      disabled: isDisabled,
      onclick: act,
    });
    button.setAttribute('data-name', name);
    return button;
  }

  #panel(): HTMLElement {
    const state = this.#state;
    const isRunning = state !== null && state.replayEndsAt !== null;
    const replay = (name: string, seconds: number): HTMLButtonElement =>
      this.#button(name, () => void this.#ask('POST', 'replay', { seconds }), isRunning);
    const close = this.#button('Close', () => this.#show(false));
    close.setAttribute('data-close', '');
    const panel = element('section', {}, [
      element('header', {}, [element('h2', { textContent: 'Demo' }), close]),
      element('p', {
        textContent:
          'Meta, Stripe and email are simulated. What happens to them here, SmartPause has to notice by itself.',
      }),
      this.#error === '' ? null : element('p', { class: 'error', role: 'alert', textContent: this.#error }),
      element('div', { class: 'parts' }, [
        element('div', {}, [
          element('h3', { textContent: 'Replay the outage of January 8, 2026' }),
          element('div', { class: 'row' }, [replay('In 30 seconds', 30), replay('In 2 minutes', 120)]),
          this.#story(),
        ]),
        element('div', {}, [
          element('h3', { textContent: 'Disturb it' }),
          this.#changes(),
          element('div', { class: 'row' }, [
            state?.isMetaFailing === true
              ? this.#button('Let Meta recover', () => void this.#ask('POST', 'fail', { on: false }))
              : this.#button('Let Meta fail', () => void this.#ask('POST', 'fail', { on: true })),
            this.#button('Skip to tomorrow 12:01 AM EST', () => void this.#ask('POST', 'next-day')),
            this.#button('Back to normal', () => void this.#ask('POST', 'reset')),
          ]),
        ]),
        this.#emails(),
      ]),
    ]);
    panel.setAttribute('aria-label', 'Demo');
    return panel;
  }

  #story(): HTMLElement | null {
    const lines = this.#state?.story ?? [];
    if (lines.length === 0) return null;
    const list = element(
      'ol',
      {},
      lines.map(({ at, text }) => element('li', {}, [element('time', { textContent: inNewYork(at) }), text])),
    );
    list.setAttribute('aria-live', 'polite');
    return list;
  }

  #changes(): HTMLElement {
    const campaigns = this.#state?.campaigns ?? [];
    const chosen = campaigns.find(({ id }) => id === this.#chosen) ?? campaigns[0];
    const options = campaigns.map(({ id, name, account }) =>
      element('option', { value: id, textContent: `${account}: ${name}`, selected: id === chosen?.id }),
    );
    const select = element('select', { title: 'Campaign' }, options);
    select.setAttribute('aria-label', 'Campaign');
    select.setAttribute('data-name', 'Campaign');
    select.onchange = () => {
      this.#chosen = select.value;
      this.#draw();
    };
    const to = chosen?.status === 'ACTIVE' ? 'PAUSED' : 'ACTIVE';
    const act = this.#button(
      `${to === 'PAUSED' ? 'Pause' : 'Resume'} in Ads Manager`,
      () => void this.#ask('POST', 'change', { campaignId: chosen?.id ?? '', status: to }),
      chosen === undefined,
    );
    return element('div', { class: 'row' }, [select, act]);
  }

  #emails(): HTMLElement {
    const mails = (this.#state?.emails ?? []).map(({ id, subject, text }) => {
      const one = element('details', {}, [
        element('summary', { textContent: subject }),
        element('pre', { textContent: text }),
      ]);
      one.setAttribute('data-mail', id);
      return one;
    });
    const none = element('p', { textContent: 'None yet.' });
    return element('div', {}, [
      element('h3', { textContent: 'Emails' }),
      ...(mails.length === 0 ? [none] : mails),
    ]);
  }
}

/** As on SmartPause's own pages: New York time, labelled EST. */
function inNewYork(at: number): string {
  return `${new Date(at).toLocaleTimeString('en-US', { timeZone: 'America/New_York' })} EST`;
}

customElements.define('demo-panel', DemoPanel);
document.body.append(document.createElement('demo-panel'));
