import { Box, Container, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useSyncExternalStore } from 'react';
import { Link, Navigate, NavLink, Outlet, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Capability } from '#contract/shapes.ts';
import { PrivacyLink, TermsLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { PagePlaceholder } from '../../components/page-placeholder.tsx';
import { useScrollToFragment } from '../../lib/use-scroll-to-fragment.ts';
import { useUser } from '../auth/auth-provider.tsx';
import { BILLING_SETTINGS } from '../subscription/plan-copy.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import classes from './settings.module.css';

interface Page {
  to: string;
  label: string;
  /** The setup, or a subscription that may come before it. */
  needs?: 'subscription' | 'setup';
  /** Its sections by fragment, with the capability that each needs, if it has more than one. */
  sections?: readonly (readonly [id: string, label: string, needs?: Capability])[];
}

const HOME = '/settings';
const ACCOUNT = '/settings/account';

const PAGES: readonly Page[] = [
  {
    ...{ to: HOME, label: 'SmartPause', needs: 'subscription' },
    sections: [
      ['smartpause-settings', 'When to pause'],
      ['try-it', 'Try it', 'test_run'],
      ['what-if', 'Past outages', 'replay'],
    ],
  },
  { to: '/settings/notifications', label: 'Notifications', needs: 'setup' },
  { to: BILLING_SETTINGS, label: 'Billing' },
  {
    ...{ to: ACCOUNT, label: 'Account' },
    sections: [
      ['sessions', 'Sessions', 'sessions'],
      ['danger-zone', 'Danger Zone'],
    ],
  },
];

/** Where the sections are that were in `/settings`; emails and bookmarks lead to them. */
const MOVED: Record<string, string> = {
  '#billing': BILLING_SETTINGS,
  '#sessions': ACCOUNT,
  '#danger-zone': ACCOUNT,
};

/** A section that begins above this line is the one in view. */
const NEAR_TOP_PX = 96;

/** What all pages of Settings share. */
export function Settings() {
  const { hasActiveSubscription, isLoading } = useSubscription();
  const { pathname, search, hash } = useLocation();
  const path = pathname.replace(/\/$/, '');
  const { isInitialized } = useUser();
  const has = { subscription: hasActiveSubscription, setup: hasActiveSubscription || isInitialized };
  const shown = PAGES.filter(({ needs }) => needs === undefined || has[needs]);
  const moved = path === HOME ? MOVED[hash] : undefined;
  const current = moved === undefined ? shown.find(({ to }) => to === path) : undefined;
  useReturnFromPortal();
  useScrollToFragment(hash, !isLoading && current !== undefined);
  // The content depends on the subscription, so it waits to avoid a jump.
  if (isLoading) return <PagePlaceholder />;
  if (current === undefined)
    return <Navigate to={{ pathname: moved ?? BILLING_SETTINGS, search, hash }} replace />;
  const name = path === HOME ? 'Settings' : `Settings: ${current.label}`;
  return (
    <Container size="lg" py={{ base: 'md', sm: 'xl' }} className={classes.page}>
      <div className={classes.contents}>
        <PageHeading fz={26} name={name} aria-label={name}>
          Settings
        </PageHeading>
        <nav aria-label="Settings">
          <ul>
            {shown.map((page) => (
              <li key={page.to}>
                <NavLink to={page.to} end>
                  {page.label}
                </NavLink>
                {page === current && <Sections of={page} />}
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <LeaveGuard>
        <Stack gap="lg">
          <Outlet />
          <Muted fz={13}>
            <TermsLink /> · <PrivacyLink />
          </Muted>
        </Stack>
      </LeaveGuard>
    </Container>
  );
}

/** The sections of the page that is shown, with a mark at the one in view. */
function Sections({ of: { sections = [] } }: { of: Page }): ReactNode {
  const { isInitialized, capabilities } = useUser();
  const { hash } = useLocation();
  const shown = sections.filter(
    ([id, , needs]) =>
      (needs === undefined || capabilities.includes(needs)) && (isInitialized || id !== 'try-it'),
  );
  const ids = shown.map(([id]) => id);
  const current = useSyncExternalStore(onScroll, () => sectionInView(ids, hash));
  if (shown.length < 2) return null;
  return (
    <Box component="ul" visibleFrom="md">
      {shown.map(([id, label]) => (
        <li key={id}>
          <Link to={`#${id}`} {...(id === current && { 'aria-current': 'location' })}>
            {label}
          </Link>
        </li>
      ))}
    </Box>
  );
}

function onScroll(act: () => void): () => void {
  const aborted = new AbortController();
  for (const event of ['scroll', 'resize']) window.addEventListener(event, act, { signal: aborted.signal });
  return () => aborted.abort();
}

function sectionInView(ids: readonly string[], hash: string): string | undefined {
  const { scrollY, innerHeight } = window;
  const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
  if (scrollY + innerHeight < document.documentElement.scrollHeight - 1)
    return ids.findLast((id) => topOf(id) <= NEAR_TOP_PX) ?? ids[0];
  // At the end of the page no further section reaches the line, not even the one that was chosen.
  return ids.find((id) => `#${id}` === hash && topOf(id) >= 0) ?? ids.at(scrollY === 0 ? 0 : -1);
}

/** On return from the portal the subscription is read from the payment provider: its webhook may be late. */
function useReturnFromPortal(): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { refreshSubscription } = useSubscription();
  const isFromPortal = params.get('from') === 'billing';
  useEffect(() => {
    if (!isFromPortal) return;
    void navigate(BILLING_SETTINGS, { replace: true });
    refreshSubscription().catch(() => undefined);
  }, [isFromPortal, navigate, refreshSubscription]);
}
