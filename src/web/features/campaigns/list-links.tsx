import type { ReactNode } from 'react';
import { Fragment } from 'react';
import { useSearchParams } from 'react-router';
import type { UserStatus } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import { BannerLink, LinkButton } from '../../components/links.ts';
import { LIST_ID, focusList } from '../../lib/focus-list.ts';
import type { ListAddress } from './list-address.ts';
import { NO_FILTERS, withList } from './list-address.ts';

/** More accounts than this are reached by the list of accounts, which has the same counts. */
const NAMED = 3;

/** Ad accounts with campaigns that SmartPause keeps paused and that the user can open. */
export function shownAccounts(user: UserStatus | undefined) {
  return user?.heldAccounts?.filter(({ delayedBy }) => delayedBy !== 'access_lost') ?? [];
}

/** Shows the held campaigns, with a link for each of the ad accounts with most of them. */
export function ShowThem({ user }: { user: UserStatus | undefined }) {
  const accounts = shownAccounts(user);
  const [first] = accounts;
  if (first === undefined) return null;
  if (accounts.length === 1) return <ShowHeld id={first.id}>Show them</ShowHeld>;
  const others = accounts.length - NAMED;
  return (
    <>
      Show them in{' '}
      {accounts.slice(0, NAMED).map(({ id, name, count }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <ShowHeld id={id}>
            {name} ({figure(count)})
          </ShowHeld>
        </Fragment>
      ))}
      {others > 0 && ` or ${counted(others, 'other account')}`}
    </>
  );
}

function ShowHeld({ id, children }: { id: string; children: ReactNode }) {
  const link = useListLink({ ...NO_FILTERS, account: id, smartpause: 'paused' });
  return <BannerLink {...link}>{children}</BannerLink>;
}

/** Shows the campaigns that run without SmartPause. */
export function ChooseCampaigns() {
  const link = useListLink({ status: 'active', smartpause: 'off' });
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
    document.querySelector<HTMLFormElement>(`#${LIST_ID} form`)?.reset();
    focusList();
  };
  return { to: { search: withList(params, list).toString() }, preventScrollReset: true, onClick };
}
