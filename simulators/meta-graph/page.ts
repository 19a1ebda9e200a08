import { controlButton, escapeHtml, framePage } from '../kit/page.ts';
import type { LoggedRequest, RequestLog } from '../kit/request-log.ts';
import type { Graph } from './graph.ts';
import { TIERS } from './limits.ts';
import type { Account, GraphState, User } from './state/state.ts';

const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'];
const CAMPAIGNS_SHOWN = 60;
const REQUESTS_SHOWN = 25;
const FAULTS: [label: string, body: object][] = [
  ['Code 2, once', { kind: 'error', code: 2 }],
  ['Code 2, until removed', { kind: 'error', code: 2, times: 0 }],
  ['Limit 80004, once', { kind: 'error', code: 80004, subcode: 2446079 }],
  ['Dead token 190, once', { kind: 'error', code: 190 }],
  ['Null in a batch, once', { kind: 'null_entry' }],
  ['Done, but null in a batch, once', { kind: 'null_entry_applied' }],
  [
    'Done, but an error, once',
    { kind: 'applied_but_error', code: 1, match: { method: 'POST', op: 'inner' } },
  ],
  ['HTML instead of JSON, 5 times', { kind: 'html', times: 5 }],
  ['Connection cut, 5 times', { kind: 'reset', times: 5 }],
  ['Slow by 5 s, 5 times', { kind: 'latency', ms: 5000, times: 5 }],
];

/** A page for people: campaigns to change by hand, faults to order, what was asked last. */
export function controlPage({ state, faults, limits }: Graph, log: RequestLog): string {
  const ordered = faults.list().map((fault) => {
    const remove = `<button data-delete="/_sim/faults/${fault.id}">Remove</button>`;
    const release = fault.parked > 0 ? controlButton('Release', `/_sim/faults/${fault.id}/release`) : '';
    const aim = JSON.stringify(fault.match);
    const text = `${fault.kind} ${fault.code ?? ''} ${aim}: ${fault.hits} of ${fault.times === 0 ? 'any' : fault.times}, ${fault.parked} parked`;
    return `<li><code>${escapeHtml(text)}</code> ${release}${remove}</li>`;
  });
  const tiers = TIERS.map((tier) => controlButton(tier, '/_sim/limits', { tier }));
  const delays = [0, 150, 1000].map((ms) => controlButton(`${ms} ms`, '/_sim/latency', { ms }));
  const accounts = [...state.accounts.values()].map((account) => accountSection(state, account));
  return framePage(
    'Simulated ad platform',
    `<h1>Meta's ad platform, simulated</h1>
     <p class="note">What you change here is changed 'by hand', as in Ads Manager.</p>
     <h2>Campaigns</h2>${accounts.join('')}
     <h2>People</h2>${peopleTable(state)}
     <h2>Faults</h2>${FAULTS.map(([label, body]) => controlButton(label, '/_sim/faults', body)).join('')}
     <button data-delete="/_sim/faults">Remove all</button><ul>${ordered.join('')}</ul>
     <h2>Limits: ${limits.tier}</h2>${tiers.join('')}
     <h2>Latency: ${state.latencyMs} ms</h2>${delays.join('')}
     <h2>Last requests</h2>${requestTable(log.entries().slice(-REQUESTS_SHOWN).toReversed())}
     <h2>Start over</h2>${controlButton('Back to the seed', '/_sim/reset')}`,
  );
}

function accountSection(state: GraphState, account: Account): string {
  const rows = account.campaigns.slice(0, CAMPAIGNS_SHOWN).flatMap((id) => {
    const campaign = state.campaigns.get(id);
    if (campaign === undefined) return [];
    const buttons = STATUSES.filter((status) => status !== campaign.status).map((status) =>
      controlButton(status, `/_sim/campaigns/${id}`, { status }, `${status}: ${campaign.name}`),
    );
    return `<tr><td>${escapeHtml(campaign.name)}<br><code>${id}</code></td><td class="word">${campaign.status}</td><td>${buttons.join('')}</td></tr>`;
  });
  const about = `${escapeHtml(account.currency)}, ${account.campaigns.length} campaigns${account.account_status === 1 ? '' : `, account status ${account.account_status}`}`;
  return `<details data-keep="${account.id}"><summary><b>${escapeHtml(account.name)}</b> <code>${account.id}</code> ${about}</summary>
    <div class="table"><table>${rows.join('')}</table></div></details>`;
}

function peopleTable(state: GraphState): string {
  const row = ({ id, name, permissions }: User): string => {
    const given = [...permissions].map(([permission, status]) => `${permission} ${status}`).join(', ');
    const buttons = [
      ['Password changed (460)', 460],
      ['Session expired (463)', 463],
      ['App removed (458)', 458],
    ].map(([label, subcode]) =>
      controlButton(
        String(label),
        '/_sim/tokens/invalidate',
        { userId: id, subcode },
        `${String(label)}: ${name}`,
      ),
    );
    return `<tr><td>${escapeHtml(name)}<br><code>${id}</code></td><td>${escapeHtml(given)}</td><td>${buttons.join('')}</td></tr>`;
  };
  return `<div class="table"><table>${[...state.users.values()].slice(0, CAMPAIGNS_SHOWN).map(row).join('')}</table></div>`;
}

function requestTable(entries: readonly LoggedRequest[]): string {
  const rows = entries.map(
    (entry) =>
      `<tr><td>${entry.at.slice(11, 23)}</td><td>${entry.method} ${escapeHtml(entry.path)}</td><td>${entry.status === 0 ? 'open or cut' : entry.status}</td><td>${Array.isArray(entry.batch) ? `batch of ${entry.batch.length}` : ''}</td></tr>`,
  );
  return `<div class="table"><table>${rows.join('')}</table></div>`;
}
