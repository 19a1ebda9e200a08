import { randomBytes } from 'node:crypto';
import type { HttpAnswer, SimRequest } from '../../kit/http.ts';
import { html, redirect } from '../../kit/http.ts';
import { escapeHtml, framePage } from '../../kit/page.ts';
import type { GraphState, User } from '../state/state.ts';
import { now } from '../state/state.ts';

const CODE_VALID_MS = 10 * 60_000;
const ALWAYS = 'public_profile';
const USERS_SHOWN = 30;

/** GET and POST /dialog/oauth: selects the user and the permissions. */
export function dialog(state: GraphState, request: SimRequest): HttpAnswer {
  const ask = (name: string): string => request.params.get(name) ?? '';
  if (ask('client_id') !== state.app.id)
    return refusal('Invalid App ID', 'The provided app ID does not look like a valid app ID.');
  if (!isAllowed(state, ask('redirect_uri'))) {
    return refusal(
      'URL blocked',
      'This redirect failed because the redirect URI is not white-listed in the app’s client OAuth settings.',
    );
  }
  if (ask('code_challenge') !== '' && ask('code_challenge_method') !== 'S256')
    return refusal('Invalid parameter', 'Only the code_challenge_method S256 is supported.');
  return request.method === 'POST' ? decide(state, request) : html(200, dialogPage(state, request));
}

function refusal(title: string, text: string): HttpAnswer {
  const body = `<main class="card"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`;
  return html(400, framePage(title, body));
}

/** Exact matches of the configured list; without a list any address on this machine. */
function isAllowed(state: GraphState, uri: string): boolean {
  if (state.redirectUris !== null) return state.redirectUris.includes(uri);
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && ['localhost', '127.0.0.1'].includes(hostname);
}

function scopesOf(request: SimRequest): string[] {
  return (request.params.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
}

const TITLES: Record<string, string> = {
  ads_management: 'Manage ads for ad accounts that you have access to',
  ads_read: 'Access your ads and related statistics',
  business_management: 'Manage your business',
  email: 'Your email address',
};

/** Its form posts to the page's own address, so that the query stays. */
function dialogPage(state: GraphState, request: SimRequest): string {
  const boxes = scopesOf(request)
    .filter((scope) => scope !== ALWAYS)
    .map(
      (scope) => `<label><input type="checkbox" name="granted" value="${escapeHtml(scope)}" checked>
        <span>${escapeHtml(TITLES[scope] ?? scope)}<br><code>${escapeHtml(scope)}</code></span></label>`,
    );
  const users = [...state.users.values()].slice(0, USERS_SHOWN).map(
    ({ id, name, accounts }, index) =>
      `<button name="user" value="${escapeHtml(id)}"${index === 0 ? ' class="primary"' : ''}>Continue as ${escapeHtml(name)}
        <small>${accounts.length} ad account${accounts.length === 1 ? '' : 's'}</small></button>`,
  );
  return framePage(
    'Log in (simulated)',
    `<main><form class="card" method="post">
     <p class="banner"><b>Simulated login.</b> These users are fictional, and nothing is sent to Meta.</p>
     <h1>${escapeHtml(state.app.name)} wants access to your ad accounts</h1>
     <fieldset><legend>Permissions</legend>${boxes.join('')}</fieldset>${users.join('')}
     <button class="quiet" name="cancel" value="1">Cancel</button></form></main>`,
  );
}

function decide(state: GraphState, request: SimRequest): HttpAnswer {
  const form = new URLSearchParams(request.body);
  const target = new URL(request.params.get('redirect_uri') ?? '');
  const user = form.has('cancel') ? undefined : state.users.get(form.get('user') ?? '');
  if (user === undefined) {
    target.searchParams.set('error', 'access_denied');
    target.searchParams.set('error_code', '200');
    target.searchParams.set('error_description', 'Permissions error.');
    target.searchParams.set('error_reason', 'user_denied');
  } else {
    target.searchParams.set('code', issueCode(state, request, user, form.getAll('granted')));
  }
  const given = request.params.get('state');
  if (given !== undefined) target.searchParams.set('state', given);
  return redirect(`${target.href}#_=_`);
}

/** A declined permission stays declined: the dialog asks for it again only with auth_type=rerequest. */
function issueCode(state: GraphState, request: SimRequest, user: User, ticked: readonly string[]): string {
  const isRerequest = request.params.get('auth_type') === 'rerequest';
  const asked = scopesOf(request);
  const scopes = [ALWAYS, ...asked.filter((scope) => ticked.includes(scope))].filter(
    (scope) => scope === ALWAYS || isRerequest || user.permissions.get(scope) !== 'declined',
  );
  for (const scope of [ALWAYS, ...asked])
    user.permissions.set(scope, scopes.includes(scope) ? 'granted' : 'declined');
  const code = `AQ${randomBytes(24).toString('base64url')}`;
  const challenge = request.params.get('code_challenge') ?? '';
  state.codes.set(code, {
    code,
    user: user.id,
    redirectUri: request.params.get('redirect_uri') ?? '',
    scopes: [...new Set(scopes)],
    challenge: challenge === '' ? null : challenge,
    expiresAt: now(state) + CODE_VALID_MS,
    used: false,
  });
  return code;
}
