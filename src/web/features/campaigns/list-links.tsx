import { useSearchParams } from 'react-router';
import type { UserStatus } from '#contract/shapes.ts';
import { figure } from '#core/labels.ts';
import { BannerLink, LinkButton } from '../../components/links.ts';
import { LIST_ID, focusList } from '../../lib/focus-list.ts';
import { account } from '../../lib/storage.ts';
import type { ListAddress } from './list-address.ts';
import { withList } from './list-address.ts';
import { shownAccounts } from './outage-copy.ts';

/** Shows the held campaigns where most of them are; the list of accounts has the counts of the others. */
export function ShowThem({ user }: { user: UserStatus | undefined }) {
  const [first, second] = shownAccounts(user);
  const link = useListLink({ account: first?.id ?? null, filter: 'held' });
  if (first === undefined) return null;
  return (
    <BannerLink {...link}>
      {second === undefined ? 'Show them' : `Show the ${figure(first.count)} in ${first.name}`}
    </BannerLink>
  );
}

/** Shows the campaigns that run without SmartPause. */
export function ChooseCampaigns() {
  const link = useListLink({ filter: 'unprotected' });
  return (
    <LinkButton size="sm" variant="default" {...link}>
      Choose campaigns
    </LinkButton>
  );
}

/** A link to the list, which also clears its search. */
function useListLink(list: Partial<ListAddress>) {
  const [params] = useSearchParams();
  const onClick = () => {
    if (list.account != null) account.choose(list.account);
    document.querySelector<HTMLFormElement>(`#${LIST_ID} form`)?.reset();
    focusList();
  };
  return { to: { search: withList(params, list).toString() }, preventScrollReset: true, onClick };
}
