import type { BrowserContext, Page, Request } from 'playwright-core';

const SHOWN_CHARACTERS = 1500;
const REQUESTS = 12;

/** Records the requests of a context's pages, for failure messages. */
export class PageObserver {
  readonly #context: BrowserContext;
  readonly #requests: Request[] = [];

  constructor(context: BrowserContext) {
    this.#context = context;
    context.on('request', (request) => {
      this.#requests.push(request);
      if (this.#requests.length > 500) this.#requests.shift();
    });
  }

  /** Adds what the pages showed, logged and last requested to the message of the error. */
  async tells(error: unknown, faults: readonly Error[]): Promise<unknown> {
    if (!(error instanceof Error)) return error;
    const shown = await Promise.all(this.#context.pages().map(describePage));
    const asked = this.#requests.filter(isOfInterest).slice(-REQUESTS).map(describeRequest);
    error.message += ['', ...shown, ...faults.map(String), 'last asked for:', ...asked].join('\n');
    return error;
  }
}

/** Assets that have arrived explain nothing. */
function isOfInterest(request: Request): boolean {
  return !request.url().includes('/assets/') || request.existingResponse()?.ok() !== true;
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
