import { controlButton, escapeHtml, framePage } from '../kit/page.ts';
import type { RequestLog } from '../kit/request-log.ts';
import type { Graph } from './graph.ts';

const FAULTS: [label: string, body: object][] = [
  ['Code 2, once', { kind: 'error', code: 2 }],
  ['Limit 80004, once', { kind: 'error', code: 80004, subcode: 2446079 }],
  ['Dead token 190, once', { kind: 'error', code: 190 }],
  ['Null in a batch, once', { kind: 'null_entry', match: { op: 'inner' } }],
  ['Done, but an error, once', { kind: 'applied_but_error', code: 1, match: { op: 'inner' } }],
  ['HTML instead of JSON, 5 times', { kind: 'html', times: 5 }],
  ['Connection cut, 5 times', { kind: 'reset', times: 5 }],
];

/** A page for people: campaigns to change by hand, faults to order, what was asked last. */
export function controlPage({ state, faults, limits }: Graph, log: RequestLog): string {
  const accounts = [...state.accounts.values()].map((account) => {
    const rows = account.campaigns.slice(0, 60).flatMap((id) => {
      const campaign = state.campaigns.get(id);
      if (campaign === undefined) return [];
      const buttons = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED']
        .filter((status) => status !== campaign.status)
        .map((status) => controlButton(status, `/_sim/campaigns/${id}`, { status }));
      return `<tr><td>${escapeHtml(campaign.name)}</td><td class="word">${campaign.status}</td><td>${buttons.join('')}</td></tr>`;
    });
    return `<details><summary><b>${escapeHtml(account.name)}</b> <code>${account.id}</code> ${escapeHtml(account.currency)}, ${account.campaigns.length} campaigns</summary>
      <div class="table"><table>${rows.join('')}</table></div></details>`;
  });
  const ordered = faults.list().map((fault) => `<li><code>${escapeHtml(JSON.stringify(fault))}</code></li>`);
  const asked = log
    .entries()
    .slice(-25)
    .toReversed()
    .map(
      (entry) =>
        `<tr><td>${entry.at.slice(11, 23)}</td><td>${entry.method} ${escapeHtml(entry.path)}</td><td>${entry.status}</td><td>${Array.isArray(entry.batch) ? `batch of ${entry.batch.length}` : ''}</td></tr>`,
    );
  const tiers = ['development_access', 'standard_access', 'off'].map((tier) =>
    controlButton(tier, '/_sim/limits', { tier }),
  );
  return framePage(
    'Simulated ad platform',
    `<h1>Meta's ad platform, simulated</h1><p class="note">What you change here is changed 'by hand', as in Ads Manager.</p>
     <h2>Campaigns</h2>${accounts.join('')}
     <h2>Faults</h2>${FAULTS.map(([label, body]) => controlButton(label, '/_sim/faults', body)).join('')}
     <button data-delete="/_sim/faults">Remove all</button><ul>${ordered.join('')}</ul>
     <h2>Limits: ${limits.tier}</h2>${tiers.join('')}
     <h2>Latency: ${state.latencyMs} ms</h2>${[0, 150, 1000].map((ms) => controlButton(`${ms} ms`, '/_sim/latency', { ms })).join('')}
     <h2>Last requests</h2><div class="table"><table>${asked.join('')}</table></div>
     <h2>Start over</h2>${controlButton('Back to the seed', '/_sim/reset')}`,
  );
}
