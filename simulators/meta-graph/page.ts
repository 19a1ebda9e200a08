import { controlButton, escapeHtml, faultSection, framePage, requestSection, table } from '../kit/page.ts';
import type { RequestLog } from '../kit/request-log.ts';
import type { Graph } from './graph.ts';
import { TIERS } from './limits.ts';
import type { Account, GraphState, User } from './state/state.ts';
import { STATUSES } from './writes.ts';

const CAMPAIGNS_SHOWN = 60;
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

/** Control page: external changes to campaigns, faults, the last requests. */
export function controlPage({ state, faults, limits }: Graph, log: RequestLog): string {
  const tiers = TIERS.map((tier) => controlButton(tier, '/_sim/limits', { tier }));
  const delays = [0, 150, 1000].map((ms) => controlButton(`${ms} ms`, '/_sim/latency', { ms }));
  const accounts = [...state.accounts.values()].map((account) => accountSection(state, account));
  return framePage(
    'Simulated ad platform',
    `<h1>Meta's ad platform, simulated</h1>
     <p class="note">A change here counts as an external change, as in Ads Manager.</p>
     <h2>Campaigns</h2>${accounts.join('')}
     <h2>Users</h2>${usersTable(state)}
     ${faultSection(FAULTS, faults)}
     <h2>Limits: ${limits.tier}</h2>${tiers.join('')}
     <h2>Latency: ${state.latencyMs} ms</h2>${delays.join('')}
     ${requestSection(log)}
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
    ${table(rows)}</details>`;
}

function usersTable(state: GraphState): string {
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
  return table([...state.users.values()].slice(0, CAMPAIGNS_SHOWN).map(row));
}
