import type { Locator } from 'playwright-core';
import type { Area, Visit } from '../state.ts';
import type { Wish } from '../advertiser.ts';
import { opensSettings } from './settings.ts';

const BARE = { plan: null, setup: null } as const;
const REVOKE = 'Revoke authorization';
const DELETE = 'Delete account';

/** Opens the confirmation. */
async function asks(visit: Visit, button: string, wish: Wish = BARE): Promise<Locator> {
  await opensSettings(visit, await visit.world.advertiser(wish));
  await visit.presses(button);
  const dialog = visit.page.getByRole('dialog');
  if (button === DELETE) await dialog.getByRole('textbox').fill('DELETE MY ACCOUNT');
  await dialog.getByRole('button', { name: button }).waitFor();
  return dialog;
}

async function confirms(visit: Visit, button: string, then: string | RegExp): Promise<void> {
  const dialog = await asks(visit, button);
  await dialog.getByRole('button', { name: button }).click();
  await dialog.getByText(then).first().waitFor();
}

async function refusesToRevoke({ world }: Visit): Promise<void> {
  await world.product.graph.fault({ kind: 'error', code: 2, method: 'DELETE', times: 0 });
}

export const dangerZone: Area = {
  name: 'danger-zone',
  states: [
    {
      name: 'deletion-blocked',
      reach: async (visit) => {
        await opensSettings(visit, await visit.world.advertiser({ setup: null }));
        await visit.sees(/Account deletion is disabled/);
      },
    },
    {
      name: 'deletion-blocked-by-grant',
      reach: async (visit) => {
        await visit.world.boss.over.post('/api/admin/grant-subscription');
        await opensSettings(visit, visit.world.boss);
        await visit.sees('clear it in Admin');
      },
    },
    { name: 'revoke-asked', reach: (visit) => asks(visit, REVOKE) },
    {
      name: 'revoking',
      reach: async (visit) => {
        await visit.holdsBack('**/api/account/deauthorize');
        await confirms(visit, REVOKE, 'Revoking…');
      },
    },
    {
      name: 'revoked',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await confirms(visit, REVOKE, /^Authorization revoked/);
      },
    },
    {
      name: 'revoking-failed',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await refusesToRevoke(visit);
        await confirms(visit, REVOKE, /^Failed to revoke authorization/);
      },
    },
    {
      name: 'delete-asked',
      reach: async (visit) => {
        const dialog = await asks(visit, DELETE);
        await dialog.getByRole('textbox').fill('');
      },
    },
    { name: 'delete-typed', reach: (visit) => asks(visit, DELETE) },
    {
      name: 'delete-ends-subscription',
      reach: async (visit) => {
        const nora = await visit.world.advertiser({ setup: null });
        await nora.cancels();
        await opensSettings(visit, nora);
        await visit.presses(DELETE);
        await visit.sees(/ends immediately/);
      },
    },
    {
      name: 'deleting',
      reach: async (visit) => {
        await visit.holdsBack('**/api/account/delete');
        await confirms(visit, DELETE, 'Deleting…');
      },
    },
    {
      name: 'deleted',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await confirms(visit, DELETE, /^Your account is deleted/);
      },
    },
    {
      name: 'deleting-failed',
      reach: async (visit) => {
        await visit.keepsTextInPlace();
        await refusesToRevoke(visit);
        await confirms(visit, DELETE, /^Failed to delete account/);
      },
    },
  ],
};
