import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Destination } from '#contract/destination-api.ts';
import { CHANNEL_NAMES, DESTINATIONS_MAX, INCIDENT_STAYS } from '#core/destinations.ts';
import { hours } from '#core/time.ts';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import popover from '../../components/popover.module.css';
import { QueryContent } from '../../components/query-content.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { Time } from '../../components/time.tsx';
import { useNow } from '../../lib/use-now.ts';
import { useSubscription } from '../subscription/subscription-provider.tsx';
import { useChange, useDestinations, useSendLink, useTest } from './destination-calls.ts';
import { eventsCopy, isQuiet, nextMorning, stateCopy } from './destination-copy.ts';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import * as dialogs from './destination-dialogs.tsx';
import classes from './destinations.module.css';

const DIALOGS = {
  edit: dialogs.EditDialog,
  quiet: dialogs.QuietDialog,
  deliveries: DeliveriesDialog,
  rotate: dialogs.RotateDialog,
  delete: dialogs.DeleteDialog,
};
type Ask = (what: keyof typeof DIALOGS) => void;

/** Where notifications also go: the user's own address gets all of them. */
export function Destinations() {
  const query = useDestinations();
  const { hasActiveSubscription } = useSubscription();
  // Each opening has a dialog of its own, with an empty form.
  const [{ n, what, of }, setShown] = useState<{
    n: number;
    what: keyof typeof DIALOGS | 'add';
    of?: Destination;
  }>({ n: 0, what: 'add' });
  const [opened, setOpened] = useState(false);
  const open = (next: { what: keyof typeof DIALOGS | 'add'; of?: Destination }) => {
    setShown({ ...next, n: n + 1 });
    setOpened(true);
  };
  const dialog = { opened, onClose: () => setOpened(false) };
  const Own = what === 'add' ? null : DIALOGS[what];
  const shown = query.data?.find(({ id }) => id === of?.id) ?? of;
  return (
    <SectionCard id="also-notify" title="Also notify">
      <QueryContent
        query={query}
        data={query.data}
        failure="Your channels couldn’t be loaded."
        heights={[40, 36]}
      >
        {(destinations) => (
          <Stack gap="md" align="flex-start">
            {destinations.length === 0 ? (
              <Muted>
                Tell your team, too: by email, in Slack, Microsoft Teams, Discord or PagerDuty, or by a
                webhook of yours.
              </Muted>
            ) : (
              <ul className={classes.list}>
                {destinations.map((one) => (
                  <Row key={one.id} of={one} ask={(next) => open({ what: next, of: one })} />
                ))}
              </ul>
            )}
            {!hasActiveSubscription && (
              <Muted>
                To add or test channels, <TextLink to="/settings/billing">subscribe</TextLink> first.
              </Muted>
            )}
            {!hasActiveSubscription ? null : destinations.length < DESTINATIONS_MAX ? (
              <Button variant="default" onClick={() => open({ what: 'add' })}>
                Add channel
              </Button>
            ) : (
              <Muted>You have {DESTINATIONS_MAX} channels, the most that are possible.</Muted>
            )}
          </Stack>
        )}
      </QueryContent>
      {n > 0 && what === 'add' && <dialogs.AddDialog key={n} {...dialog} />}
      {Own !== null && shown !== undefined && <Own key={n} of={shown} {...dialog} />}
    </SectionCard>
  );
}

function Row({ of, ask }: { of: Destination; ask: Ask }) {
  const now = useNow();
  const { kind, name, hint, events, state, disabledReason, quietUntil, isConfirmed, hasIncident, last } = of;
  const test = useTest(of.id);
  const isShown = last?.isTest === true && test.isSuccess;
  const [word, isBad] = stateCopy(of, now);
  return (
    <li className={classes.row}>
      <div>
        <Text fz="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}{' '}
          <Text span inherit fw={400} c={isBad ? 'var(--mantine-color-error)' : 'dimmed'}>
            {word}
          </Text>
        </Text>
        <Muted fz={13}>
          {[kind === null ? null : CHANNEL_NAMES[kind], hint].filter((part) => part !== null).join(' · ')}
          <br />
          {eventsCopy(events)}
        </Muted>
        {state === 'on' && !isConfirmed && (
          <Muted fz={13}>Its owner hasn’t opened the link in our email yet.</Muted>
        )}
        {state === 'disabled' && <Bad>{disabledReason} Edit its address, or turn it on again.</Bad>}
        {state !== 'on' && hasIncident && <Muted fz={13}>{INCIDENT_STAYS}, or turn the channel on.</Muted>}
        {isQuiet(quietUntil, now) && (
          <Muted fz={13}>
            Quiet until <Time at={quietUntil} />
          </Muted>
        )}
        {state === 'on' && isConfirmed && last === null && !test.isSuccess && (
          <Muted fz={13}>Nothing was delivered there yet. Send a test.</Muted>
        )}
        {state !== 'disabled' && last !== null && !isShown && <LastAttempt {...last} />}
        <TestResult test={test} />
      </div>
      <Menu of={of} ask={ask} onTest={() => !test.isPending && test.mutate(undefined)} />
    </li>
  );
}

const TestResult = dialogs.TestOutcome;

function Bad({ children }: { children: ReactNode }) {
  return (
    <Text fz={13} c="var(--mantine-color-error)">
      {children}
    </Text>
  );
}

function LastAttempt({ at, failure, nextAt, isTest }: NonNullable<Destination['last']>) {
  const what = isTest === true ? 'Last test' : 'Last delivery';
  if (failure === null)
    return (
      <Muted fz={13}>
        {what}: <Time at={at} />
      </Muted>
    );
  return (
    <Bad>
      {what} failed on <Time at={at} />: {failure}
      {nextAt !== null && (
        <>
          {' '}
          Next try: <Time at={nextAt} />.
        </>
      )}
    </Bad>
  );
}

/** The browser's own menu: `native-menus.ts`. */
function Menu({ of, ask, onTest }: { of: Destination; ask: Ask; onTest: () => void }) {
  const { id, name, kind, state, isConfirmed, quietUntil } = of;
  const now = useNow();
  const change = useChange(of, 'Failed to change the channel').mutate;
  const sendLink = useSendLink(of).mutate;
  const menu = `destination-${id}`;
  const quiet = (until: Date | null) => change({ quietUntil: until?.toISOString() ?? null });
  const items: [label: string, act: () => void][] = [
    isConfirmed ? ['Send test', onTest] : ['Send link again', () => sendLink(undefined)],
    ...(kind === null ? [] : ([['Edit', () => ask('edit')]] as [string, () => void][])),
    ['Deliveries', () => ask('deliveries')],
    ...(isQuiet(quietUntil, now)
      ? ([['End quiet time', () => quiet(null)]] as [string, () => void][])
      : ([
          ['Quiet for an hour', () => quiet(new Date(now + hours(1)))],
          ['Quiet until 8 AM', () => quiet(nextMorning(now))],
          ['Quiet until …', () => ask('quiet')],
        ] as [string, () => void][])),
    ...(kind === 'webhook' ? ([['New secret', () => ask('rotate')]] as [string, () => void][]) : []),
    state === 'on' ? ['Turn off', () => change({ isOn: false })] : ['Turn on', () => change({ isOn: true })],
    ['Delete', () => ask('delete')],
  ];
  return (
    <div>
      <button type="button" className={classes.more} popoverTarget={menu} aria-label={`More for ${name}`}>
        ⋯
      </button>
      <div
        id={menu}
        popover="auto"
        className={`${popover.popover} ${classes.menu}`}
        onToggle={({ currentTarget, newState }) => {
          if (newState === 'open') currentTarget.querySelector<HTMLElement>('button')?.focus();
        }}
      >
        {items.map(([label, act]) => (
          <button key={label} type="button" aria-label={`${label}: ${name}`} onClick={act}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
