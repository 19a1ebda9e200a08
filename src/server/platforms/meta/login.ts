import { z } from 'zod';
import type { PlatformFailure } from '#core/platform.ts';
import { refusesApp, unreadable } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import type { AccessToken, PlatformLogin, PlatformResult, PlatformUser, TokenReport } from '../platform.ts';
import { readEntries } from './batch.ts';
import type { GraphClient, GraphConfig } from './client.ts';
import { appTokenOf } from './client.ts';
import { readSignedRequest } from './signed-request.ts';

export interface LoginConfig extends Omit<GraphConfig, 'graphUrl'> {
  dialogUrl: string;
  /** The configuration of an app with Login for Business; null: another app. */
  loginConfigId: string | null;
}

const SCOPES = 'ads_management,ads_read,business_management,email,public_profile';

/** The token counts also without a lifetime that can be read. */
const lifetime = z.coerce.number().positive().optional().catch(undefined);
const tokenReply = z
  .object({ access_token: z.string().min(1), expires_in: lifetime })
  .transform(({ access_token: token, expires_in }): AccessToken => ({
    token,
    expiresInMs: expires_in === undefined ? null : seconds(expires_in),
  }));
const userReply: z.ZodType<PlatformUser> = z.object({
  id: z.string(),
  name: z.string().default(''),
  email: z
    .string()
    .optional()
    .transform((email) => email ?? null),
});
const permissionsReply = z
  .object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })
  .transform(({ data }) =>
    data.filter(({ status }) => status === 'granted').map(({ permission }) => permission),
  );
/** In seconds; 0 is never. */
const end = z
  .number()
  .nullish()
  .transform((at) => at ?? 0);
const tokenReport = z
  .object({
    data: z.discriminatedUnion('is_valid', [
      z.object({ is_valid: z.literal(false) }),
      z.object({
        is_valid: z.literal(true),
        expires_at: end,
        data_access_expires_at: end,
        scopes: z.array(z.string()).nullish(),
      }),
    ]),
  })
  .transform(({ data }): TokenReport => {
    if (!data.is_valid) return { isValid: false };
    const ends = [data.expires_at, data.data_access_expires_at].filter((at) => at > 0);
    const expiresAt = ends.length === 0 ? null : seconds(Math.min(...ends));
    return { isValid: true, expiresAt, permissions: data.scopes ?? null };
  });
const successReply = z.object({ success: z.literal(true) }).transform(() => true as const);

export function createPlatformLogin(config: LoginConfig, graph: GraphClient): PlatformLogin {
  const app = { client_id: config.appId, client_secret: config.appSecret };

  const askForToken = async (given: Record<string, string>, more = {}) => {
    const call = { method: 'POST', path: 'oauth/access_token', params: { ...app, ...given } } as const;
    return read(tokenReply, await graph.call({ ...call, ...more }));
  };

  return {
    /** Login for Business: Meta's page 'Facebook Login for Business' names `config_id`, and the override for a code. */
    dialogAddress({ redirectUri, state, codeChallenge }) {
      const url = new URL(`${config.dialogUrl}/${config.apiVersion}/dialog/oauth`);
      url.search = new URLSearchParams({
        client_id: config.appId,
        redirect_uri: redirectUri,
        state,
        ...(config.loginConfigId === null
          ? { scope: SCOPES }
          : { config_id: config.loginConfigId, override_default_response_type: 'true' }),
        response_type: 'code',
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        // Without this the dialog never asks again for a permission that was declined once.
        auth_type: 'rerequest',
      }).toString();
      return url.href;
    },

    exchangeCode: ({ code, redirectUri, codeVerifier }) =>
      askForToken({ code, redirect_uri: redirectUri, code_verifier: codeVerifier }),

    extend: (token) => askForToken({ grant_type: 'fb_exchange_token', fb_exchange_token: token }),

    async whoIs(token) {
      const params = { fields: 'id,name,email' };
      return read(userReply, await graph.call({ method: 'GET', path: 'me', params, token }));
    },

    async grantedPermissions(token) {
      return read(permissionsReply, await graph.call({ method: 'GET', path: 'me/permissions', token }));
    },

    async revoke(token) {
      return read(successReply, await graph.call({ method: 'DELETE', path: 'me/permissions', token }));
    },

    inspect: createInspector(config, graph, () => askForToken({ grant_type: 'client_credentials' }, AS_APP)),

    readSignedRequest: (text) => readSignedRequest(text, config.appSecret, graph.now()),
  };
}

const ISSUED_EVERY_MS = minutes(15);

/** A refused app token is replaced by one that Meta issues, which is asked for at most every 15 minutes. */
function createInspector(
  { appId, appSecret }: LoginConfig,
  graph: GraphClient,
  fetchToken: () => Promise<PlatformResult<AccessToken>>,
) {
  let appToken = appTokenOf({ appId, appSecret });
  let issued: { at: Instant; token: Promise<string | null> } | null = null;

  const inspectAs = async (access_token: string, token: string): Promise<PlatformResult<TokenReport>> => {
    // Sent as a batch, so that the token is in the body and not in the address.
    const query = new URLSearchParams({ input_token: token }).toString();
    const batch = JSON.stringify([{ method: 'GET', relative_url: `debug_token?${query}` }]);
    const params = { batch, include_headers: 'false', access_token };
    const outer = await graph.call({ method: 'POST', path: '', params, ...AS_APP });
    const entries = outer.ok ? readEntries(outer.value, 1) : outer;
    const response = entries.ok ? entries.value[0] : entries;
    if (response === undefined) throw new Error('a batch of one has one response');
    return read(tokenReport, response);
  };

  return async (token: string): Promise<PlatformResult<TokenReport>> => {
    const used = appToken;
    const first = await inspectAs(used, token);
    if (first.ok || !refusesApp(first.failure)) return first;
    const now = graph.now();
    if (issued === null || now >= issued.at + ISSUED_EVERY_MS)
      issued = {
        at: now,
        token: fetchToken().then((response) => (response.ok ? response.value.token : null)),
      };
    const other = await issued.token;
    if (other === null || other === used) return first;
    appToken = other;
    return inspectAs(other, token);
  };
}

/** Meta may refuse our app's own token, and still serve all users. */
const AS_APP = { countsForBreaker: (failure: PlatformFailure): boolean => !refusesApp(failure) };

function read<T>(schema: z.ZodType<T>, response: PlatformResult<unknown>): PlatformResult<T> {
  if (!response.ok) return { ok: false, failure: response.failure };
  const parsed = schema.safeParse(response.value);
  if (!parsed.success) return { ok: false, failure: unreadable('a response of an unknown shape', true) };
  return { ok: true, value: parsed.data };
}
