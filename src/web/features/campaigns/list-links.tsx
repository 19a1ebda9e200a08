import type { ReactNode } from 'react';
import { Fragment } from 'react';
import { useSearchParams } from 'react-router';
import type { UserStatus } from '#contract/shapes.ts';
import { counted, figure } from '#core/labels.ts';
import { BannerLink, LinkButton } from '../../components/links.ts';
import { focusList } from '../../lib/focus-list.ts';
import { NO_FILTERS, withList } from './list-address.ts';

/** More accounts than this are reached by the list of accounts, which has the same counts. */
const NAMED = 3;

/** Shows the held campaigns, with a link for each of the ad accounts with most of them. */
export function ShowThem({ user }: { user: UserStatus | undefined }) {
  const accounts = user?.heldAccounts?.filter(({ delayedBy }) => delayedBy !== 'access_lost') ?? [];
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
      {others > 0 && ` or ${counted(others, 'other account')}`}.
    </>
  );
}

function ShowHeld({ id, children }: { id: string; children: ReactNode }) {
  const [params] = useSearchParams();
  const search = withList(params, { ...NO_FILTERS, account: id, smartpause: 'paused' }).toString();
  return (
    <BannerLink to={{ search }} preventScrollReset onClick={focusList}>
      {children}
    </BannerLink>
  );
}

/** Shows the campaigns that run without SmartPause. */
export function ChooseCampaigns() {
  const [params] = useSearchParams();
  const search = withList(params, { q: '', status: 'active', smartpause: 'off' }).toString();
  return (
    <LinkButton size="sm" variant="default" to={{ search }} preventScrollReset onClick={focusList}>
      Choose campaigns
    </LinkButton>
  );
}
