import type { ControlPage } from '../kit/page.ts';
import { controlButton, escapeHtml, table } from '../kit/page.ts';
import type { Account, GraphState } from './state/state.ts';

/** "Ads Manager", the users who can log in, and what can go wrong. */
export function adsManager(state: GraphState): ControlPage {
  const users = [...state.users.values()].map(({ id, name }) => [
    escapeHtml(name),
    id,
    controlButton('End the access', '/_sim/tokens/invalidate', { userId: id }, `End the access: ${name}`),
  ]);
  return {
    title: 'Meta’s ad platform',
    note: 'A change here is one that someone makes in Ads Manager, outside of SmartPause.',
    sections: [
      ['Ads Manager', [...state.accounts.values()].map((one) => accountSection(state, one)).join('')],
      ['Users and their Meta user ids', table(users)],
    ],
    faults: [
      ['Answer one call with an error', { kind: 'error', code: 2 }],
      ['Answer every call with an error', { kind: 'error', code: 2, times: 0 }],
      ['Pause, but answer with an error, once', { kind: 'applied_but_error', code: 1, method: 'POST' }],
    ],
  };
}

function accountSection(state: GraphState, account: Account): string {
  const rows = account.campaigns.flatMap((id) => {
    const campaign = state.campaigns.get(id);
    if (campaign === undefined) return [];
    const { name, status } = campaign;
    const [label, wanted] = status === 'ACTIVE' ? ['Pause', 'PAUSED'] : ['Activate', 'ACTIVE'];
    const button = controlButton(label, `/_sim/campaigns/${id}`, { status: wanted }, `${label} ${name}`);
    return [[escapeHtml(name), `<span class="word">${status}</span>`, button]];
  });
  return `<details open><summary>${escapeHtml(account.name)}</summary>${table(rows)}</details>`;
}
