import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { LOGIN_COOKIE_SECONDS, loginCookieName, tokenFingerprint } from '#contract/login-handoff.ts';
import type { LoginError } from '#contract/errors.ts';
import { LOGIN_ATTEMPT_MS } from '#core/periods.ts';
import type { LoginDeps } from '../services/users/login.ts';
import { beginLogin, finishLogin } from '../services/users/login.ts';
import type { RateLimits } from './rate-limits.ts';

/** The __Host- prefix: only this host, over an encrypted connection, can have set it. */
const COOKIE = { secure: '__Host-smartpause_login', local: 'smartpause_login' };
/** The secret of this browser, set at the start of a login. */
const BROWSER = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
export const CALLBACK_PATH = '/auth/facebook/callback';

/** A parameter given twice arrives as a list and counts as absent. */
const text = z.string().max(4096).optional().catch(undefined);
const startQuery = z.object({ returnTo: text });
const returnQuery = z.object({ state: text, code: text, error: text, error_code: text });

/** Start and callback of the platform's login dialog. They respond with redirects, not with JSON. */
export function serveLogin(
  app: FastifyInstance,
  deps: LoginDeps,
  { publicUrl, limits }: { publicUrl: string; limits: RateLimits },
): void {
  const secure = publicUrl.startsWith('https:');
  const name = secure ? COOKIE.secure : COOKIE.local;
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const handoff = { ...cookie, httpOnly: false, maxAge: LOGIN_COOKIE_SECONDS };

  const config = { rateLimit: { max: limits.logins } };
  app.get('/auth/facebook', { config }, async (request, reply) => {
    const { returnTo = '/' } = startQuery.parse(request.query);
    // The cookie must be set on the host that the dialog returns to.
    if (request.host !== new URL(publicUrl).host) {
      return reply.redirect(`${publicUrl}/auth/facebook?${new URLSearchParams({ returnTo }).toString()}`);
    }
    const known = BROWSER.safeParse(request.cookies[name]).data;
    const { address, browser } = await beginLogin(deps, { returnTo, browser: known });
    const maxAge = LOGIN_ATTEMPT_MS / 1000;
    return reply.setCookie(name, browser, { ...cookie, maxAge }).redirect(address);
  });

  // A HEAD must not use up the code.
  app.get(CALLBACK_PATH, { config, exposeHeadRoute: false }, async (request, reply) => {
    const { state, code, error, error_code } = returnQuery.parse(request.query);
    const browser = request.cookies[name];
    try {
      const result = await finishLogin(deps, { state, code, error: error ?? error_code, browser });
      const address = request.ip;
      const whose = result.ok
        ? { refused: null, user: result.userId }
        : { refused: result.error, user: null };
      request.log.info({ address, ...whose }, 'login finished');
      if (!result.ok) return await reply.redirect(withError(publicUrl, result));
      const target = new URL(result.returnTo, publicUrl);
      if (result.token === null) return await reply.redirect(target.href);
      target.searchParams.set('token', result.token);
      // The cookie of the attempt stays, for logins in other tabs and for a repeated callback.
      return await reply
        .setCookie(loginCookieName(secure), tokenFingerprint(result.token), handoff)
        .redirect(target.href);
    } catch (fault) {
      request.log.error({ err: fault }, 'login failed unexpectedly');
      return reply.redirect(withError(publicUrl, { error: 'SERVER_ERROR', returnTo: '/' }));
    }
  });
}

interface Failed {
  error: LoginError;
  missing?: string;
  returnTo: string;
}

/** The page where the login began, with the code of its banner. */
function withError(publicUrl: string, { error, missing, returnTo }: Failed): string {
  const target = new URL(returnTo, publicUrl);
  target.searchParams.set('error', error);
  if (missing !== undefined) target.searchParams.set('missing', missing);
  return target.href;
}
