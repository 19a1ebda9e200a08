import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { LoginError } from '#contract/errors.ts';
import { minutes } from '#core/time.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { beginLogin, finishLogin } from '../operations/sign-in.ts';

const COOKIE = 'smartpause_login';
export const CALLBACK_PATH = '/auth/facebook/callback';

/** A parameter given twice arrives as a list and counts as absent. */
const text = z.string().max(4096).optional().catch(undefined);
const startQuery = z.object({ returnTo: text });
const returnQuery = z.object({ state: text, code: text, error: text, error_code: text });

/** The two ends of the platform's login dialog. These answer with redirects, not with JSON. */
export function serveLogin(app: FastifyInstance, deps: OperationDeps, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:');
  const cookie = { path: '/auth/facebook', httpOnly: true, sameSite: 'lax', secure } as const;

  app.get('/auth/facebook', { config: { rateLimit: { max: 120 } } }, async (request, reply) => {
    const { returnTo = '/' } = startQuery.parse(request.query);
    // The cookie must be set where the dialog will come back to.
    if (request.host !== new URL(publicUrl).host) {
      return reply.redirect(`${publicUrl}/auth/facebook?${new URLSearchParams({ returnTo }).toString()}`);
    }
    const { address, browser } = await beginLogin(deps, { returnTo });
    const maxAge = minutes(15) / 1000;
    return reply.setCookie(COOKIE, browser, { ...cookie, maxAge }).redirect(address);
  });

  app.get(CALLBACK_PATH, { config: { rateLimit: { max: 120 } } }, async (request, reply) => {
    const { state, code, error, error_code } = returnQuery.parse(request.query);
    const browser = request.cookies[COOKIE];
    void reply.clearCookie(COOKIE, cookie).header('cache-control', 'no-store');
    try {
      const result = await finishLogin(deps, { state, code, error: error ?? error_code, browser });
      if (!result.ok) return await reply.redirect(withError(publicUrl, result.error));
      const target = new URL(result.returnTo, publicUrl);
      target.searchParams.set('token', result.token);
      return await reply.redirect(target.href);
    } catch (fault) {
      request.log.error({ err: fault }, 'a login failed in an unforeseen way');
      return reply.redirect(withError(publicUrl, 'SERVER_ERROR'));
    }
  });
}

function withError(publicUrl: string, error: LoginError): string {
  return `${publicUrl}/?error=${error}`;
}
