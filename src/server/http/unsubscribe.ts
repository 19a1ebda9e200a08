import type { FastifyInstance } from 'fastify';
import type { Needs } from '../services/deps.ts';
import { hasSummary, turnSummaryOff } from '../services/users/unsubscribe.ts';
import { plainPage } from './plain-page.ts';
import { pagePolicy } from './security-headers.ts';

const MOST_BYTES = 10_000;
const TITLES = {
  on: 'Turn off the monthly summary?',
  off: 'The monthly summary is off',
  gone: 'This link doesn’t work any more',
} as const;
const TEXTS: Record<keyof typeof TITLES, string> = {
  on: '<p>SmartPause goes on emailing you about what it pauses and resumes.</p><form method="post"><button>Turn off</button></form>',
  off: '<p>It can be turned on again in <a href="/settings/notifications">Settings</a>. Emails about what SmartPause pauses and resumes go on.</p>',
  gone: '<p>You can turn the monthly summary off in <a href="/settings/notifications">Settings</a>.</p>',
};

/**
 * Turns off the monthly summary without a login. The page changes nothing, so that a scanner may open it; its button, and a
 * mail program that has such a button (RFC 8058), post to the same address.
 */
export function serveUnsubscribe(app: FastifyInstance, deps: Needs<'db' | 'clock' | 'cipher'>): void {
  // Mail programs send a form of either type; the address says it all.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_request, _body, done) =>
    done(null),
  );
  const path = '/unsubscribe/:link';
  app.addHook('onRequest', (_request, reply, done) => {
    const policy = pagePolicy('', { sendsForms: true });
    void reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
    done();
  });
  app.get<{ Params: { link: string } }>(path, async ({ params: { link } }, reply) => {
    const isOn = await hasSummary(deps, link);
    return reply.status(isOn === null ? 404 : 200).send(page(isOn === null ? 'gone' : isOn ? 'on' : 'off'));
  });
  app.post<{ Params: { link: string } }>(path, async ({ params: { link } }, reply) => {
    const isDone = await turnSummaryOff(deps, link);
    return reply.status(isDone ? 200 : 404).send(page(isDone ? 'off' : 'gone'));
  });
}

const page = (state: keyof typeof TITLES) => plainPage(TITLES[state], TEXTS[state]);
