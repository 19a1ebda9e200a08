import { NativeSelect } from '@mantine/core';
import { useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { adAccountId } from '#contract/shapes.ts';
import { OUTAGE_RESULTS } from '#core/outages/outage.ts';
import { useSetParams } from '../../lib/use-set-params.ts';

const inAddress = z.object({
  account: z.catch(z.optional(adAccountId), undefined),
  result: z.catch(z.optional(z.enum(OUTAGE_RESULTS)), undefined),
});

/** The filter in the address; undefined: all. Values that are not valid are ignored. */
export function useActivityFilter() {
  const [params] = useSearchParams();
  const changeParams = useSetParams();
  const filter = inAddress.parse(Object.fromEntries(params));
  /** @param value empty: all */
  const change = (name: keyof typeof filter, value: string) => changeParams({ [name]: value || null });
  return { filter, change };
}

/** By their clear names; one account needs no filter. */
export function AccountFilter({ accounts }: { accounts: readonly { id: string; name: string }[] }) {
  const { filter, change } = useActivityFilter();
  const { account } = filter;
  if (accounts.length < 2 && account === undefined) return null;
  const isKnown = account === undefined || accounts.some(({ id }) => id === account);
  return (
    <NativeSelect
      aria-label="Ad account"
      w={{ base: '100%', xs: 240 }}
      value={account ?? ''}
      data={[
        { value: '', label: 'All ad accounts' },
        ...accounts.map(({ id, name }) => ({ value: id, label: name })),
        ...(isKnown ? [] : [{ value: account, label: account.replace(/^act_/, '') }]),
      ]}
      onChange={({ currentTarget: { value } }) => change('account', value)}
    />
  );
}
