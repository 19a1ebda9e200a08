import type { BrowserContext, Page, Request } from 'playwright-core';

const SHOWN_CHARACTERS = 1500;
const REQUESTS = 12;

/** Remembers what a context's pages asked for, to say with a failure what was going on. */
export class Witness {
  readonly #context: BrowserContext;
  readonly #requests: Request[] = [];

  constructor(context: BrowserContext) {
    this.#context = context;
    context.on('request', (request) => {
      if (request.url().includes('/assets/')) return;
      this.#requests.push(request);
      if (this.#requests.length > 200) this.#requests.shift();
    });
  }

  /** The same error, its message followed by what the pages showed and last asked for. */
  async tells(error: unknown): Promise<unknown> {
    if (!(error instanceof Error)) return error;
    const shown = await Promise.all(this.#context.pages().map(describePage));
    const asked = this.#requests.slice(-REQUESTS).map(describeRequest);
    error.message += ['', ...shown, 'last asked for:', ...asked].join('\n');
    return error;
  }
}

async function describePage(page: Page): Promise<string> {
  const words = await page
    .evaluate<string>(
      `[document.readyState, document.activeElement?.outerHTML.slice(0, 200), document.body.innerText].join('\\n')`,
    )
    .catch(String);
  return `\n${page.url()} shows:\n${words.slice(0, SHOWN_CHARACTERS)}\n`;
}

function describeRequest(request: Request): string {
  const failure = request.failure()?.errorText;
  const status = failure ?? request.existingResponse()?.status() ?? 'no answer yet';
  return `  ${request.method()} ${request.url()} ${status}`;
}
