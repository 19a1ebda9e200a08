import { z } from 'zod';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { readEntries } from './batch.ts';
import type { Answer, GraphClient } from './client.ts';
import { unreadable } from './errors.ts';
import type { SignedRequest } from './signed-request.ts';
import { readSignedRequest } from './signed-request.ts';

export interface LoginConfig {
  dialogUrl: string;
  apiVersion: string;
  appId: string;
  appSecret: string;
}

export interface PlatformUser {
  id: string;
  name: string;
  email: string | null;
}

export interface AccessToken {
  token: string;
  /** Null: the platform names no end. */
  expiresInMs: number | null;
}

export interface DialogArgs {
  redirectUri: string;
  state: string;
  codeChallenge: string;
}

export interface PlatformLogin {
  dialogAddress(args: DialogArgs): string;
  /** Never retried: a code is good for one exchange, and a lost answer may have used it. */
  exchangeCode(args: {
    code: string;
    redirectUri: string;
    codeVerifier: string;
  }): Promise<Answer<AccessToken>>;
  extend(token: string): Promise<Answer<AccessToken>>;
  whoIs(token: string): Promise<Answer<PlatformUser>>;
  grantedPermissions(token: string): Promise<Answer<string[]>>;
  revoke(token: string): Promise<Answer<true>>;
  /** What a token is worth, asked as the app: an invalid one is an answer, not a failure. */
  inspect(token: string): Promise<Answer<TokenReport>>;
  /** Null: not from the platform, or too old. */
  readSignedRequest(text: string): SignedRequest | null;
}

export type TokenReport =
  { isValid: false } | { isValid: true; expiresAt: Instant | null; permissions: string[] };

const SCOPES = 'ads_management,ads_read,business_management,email,public_profile';

const tokenReply = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().optional(),
});
const userReply = z.object({ id: z.string(), name: z.string().default(''), email: z.string().optional() });
const permissionsReply = z.object({
  data: z.array(z.object({ permission: z.string(), status: z.string() })),
});
const tokenReport = z.object({
  data: z.discriminatedUnion('is_valid', [
    z.object({ is_valid: z.literal(false) }),
    z.object({
      is_valid: z.literal(true),
      /** In seconds; 0 is never. */
      expires_at: z.number().optional(),
      data_access_expires_at: z.number().optional(),
      scopes: z.array(z.string()).default([]),
    }),
  ]),
});
const successReply = z.object({ success: z.literal(true) });

export function createPlatformLogin(config: LoginConfig, graph: GraphClient): PlatformLogin {
  const app = { client_id: config.appId, client_secret: config.appSecret };

  const askForToken = async (params: Record<string, string>): Promise<Answer<AccessToken>> => {
    const answer = await graph.call({
      method: 'POST',
      path: 'oauth/access_token',
      params: { ...app, ...params },
    });
    return read(answer, tokenReply, (reply) => ({
      token: reply.access_token,
      expiresInMs: reply.expires_in === undefined ? null : reply.expires_in * 1000,
    }));
  };

  return {
    dialogAddress: (args) => dialogAddress(config, args),

    exchangeCode: ({ code, redirectUri, codeVerifier }) =>
      askForToken({ code, redirect_uri: redirectUri, code_verifier: codeVerifier }),

    extend: (token) => askForToken({ grant_type: 'fb_exchange_token', fb_exchange_token: token }),

    async whoIs(token) {
      const answer = await graph.call({
        method: 'GET',
        path: 'me',
        params: { fields: 'id,name,email' },
        token,
      });
      return read(answer, userReply, ({ id, name, email }) => ({ id, name, email: email ?? null }));
    },

    async grantedPermissions(token) {
      const answer = await graph.call({ method: 'GET', path: 'me/permissions', token });
      return read(answer, permissionsReply, ({ data }) =>
        data.filter(({ status }) => status === 'granted').map(({ permission }) => permission),
      );
    },

    async revoke(token) {
      const answer = await graph.call({ method: 'DELETE', path: 'me/permissions', token });
      return read(answer, successReply, () => true as const);
    },

    async inspect(token) {
      // In a batch, so that the token stands in the body and not in an address.
      const query = new URLSearchParams({ input_token: token }).toString();
      const batch = JSON.stringify([{ method: 'GET', relative_url: `debug_token?${query}` }]);
      const params = { batch, include_headers: 'false', access_token: `${config.appId}|${config.appSecret}` };
      const outer = await graph.call({ method: 'POST', path: '', params });
      const entries = outer.ok ? readEntries(outer.value, 1) : outer;
      const answer = entries.ok ? entries.value[0] : entries;
      if (answer === undefined) throw new Error('a batch of one has one answer');
      return read(answer, tokenReport, ({ data }) => toReport(data));
    },

    readSignedRequest: (text) => readSignedRequest(text, config.appSecret, graph.now()),
  };
}

function dialogAddress(config: LoginConfig, { redirectUri, state, codeChallenge }: DialogArgs): string {
  const url = new URL(`${config.dialogUrl.replace(/\/$/, '')}/${config.apiVersion}/dialog/oauth`);
  url.search = new URLSearchParams({
    client_id: config.appId,
    redirect_uri: redirectUri,
    state,
    scope: SCOPES,
    response_type: 'code',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    // Without this the dialog never asks again for a permission that was declined once.
    auth_type: 'rerequest',
  }).toString();
  return url.href;
}

function toReport(data: z.output<typeof tokenReport>['data']): TokenReport {
  if (!data.is_valid) return { isValid: false };
  const ends = [data.expires_at ?? 0, data.data_access_expires_at ?? 0].filter((at) => at > 0);
  return {
    isValid: true,
    expiresAt: ends.length === 0 ? null : seconds(Math.min(...ends)),
    permissions: data.scopes,
  };
}

function read<T, U>(answer: Answer<unknown>, schema: z.ZodType<T>, shape: (reply: T) => U): Answer<U> {
  if (!answer.ok) return { ok: false, failure: answer.failure };
  const parsed = schema.safeParse(answer.value);
  if (!parsed.success) return { ok: false, failure: unreadable('an answer of an unknown shape', true) };
  return { ok: true, value: shape(parsed.data) };
}
