import { useSearchParams } from 'react-router';
import type { UserStatus } from '#contract/shapes.ts';
import { BannerLink, LinkButton } from '../../components/links.ts';
import { LIST_ID, focusList } from '../../lib/focus-list.ts';
import { useAdAccounts } from '../../lib/queries.ts';
import { account } from '../../lib/storage.ts';
import type { ListAddress } from '../campaigns/list-address.ts';
import { ALL_ACCOUNTS, withList } from '../campaigns/list-address.ts';
import { shownAccounts } from '../campaigns/paused-copy.ts';

/** Shows the held campaigns, of several ad accounts in one list. */
export function ShowThem({ user }: { user: UserStatus | undefined }) {
  const [first, second] = shownAccounts(user);
  const link = useListLink({
    account: second === undefined ? (first?.id ?? null) : ALL_ACCOUNTS,
    filter: 'held',
  });
  return first === undefined ? null : <BannerLink {...link}>Show them</BannerLink>;
}

/** Shows the campaigns that run without SmartPause. */
export function ChooseCampaigns() {
  const [first, second] = useAdAccounts().data ?? [];
  const account = second === undefined ? (first?.id ?? null) : ALL_ACCOUNTS;
  return (
    <LinkButton size="sm" variant="default" {...useListLink({ account, filter: 'unprotected' })}>
      Choose campaigns
    </LinkButton>
  );
}

/** A link to the list, which also clears its search. */
function useListLink(list: Partial<ListAddress>) {
  const [params] = useSearchParams();
  const onClick = () => {
    // All together are for now: the next visit begins with the account that the user chose.
    if (list.account != null && list.account !== ALL_ACCOUNTS) account.choose(list.account);
    document.querySelector<HTMLFormElement>(`#${LIST_ID} form`)?.reset();
    focusList(true);
  };
  return { to: { search: withList(params, list).toString() }, preventScrollReset: true, onClick };
}
