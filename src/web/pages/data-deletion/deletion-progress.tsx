import { Anchor, Box, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { DeletionStatus } from '#contract/shapes.ts';
import { fullTime } from '#core/new-york.ts';
import classes from './data-deletion.module.css';

type State = 'under_way' | 'finished' | 'superseded';

const TITLES: Record<State, string> = {
  under_way: 'Under way',
  finished: 'Finished',
  superseded: 'Not carried out',
};

function stateOf({ finishedAt, isSuperseded }: DeletionStatus): State {
  if (isSuperseded) return 'superseded';
  return finishedAt === null ? 'under_way' : 'finished';
}

export function DeletionProgress({ deletion }: { deletion: DeletionStatus }) {
  const { confirmationCode, requestedAt, finishedAt } = deletion;
  const state = stateOf(deletion);
  return (
    <>
      <div role="status">
        <Title order={2} fz="lg" className={classes.state}>
          <Mark state={state} /> {TITLES[state]}
        </Title>
      </div>
      {state === 'under_way' && <UnderWay />}
      {state === 'finished' && <Finished />}
      {state === 'superseded' && <Superseded />}
      <dl className={classes.facts}>
        <Fact name="Confirmation code">
          <span className={classes.code}>{confirmationCode}</span>
        </Fact>
        <Fact name="Asked for">{fullTime(Date.parse(requestedAt))}</Fact>
        {finishedAt !== null && <Fact name="Finished">{fullTime(Date.parse(finishedAt))}</Fact>}
      </dl>
    </>
  );
}

function UnderWay() {
  return (
    <>
      <Text mt="xs">What happens, one after the other:</Text>
      <List type="ordered" mt="xs" spacing={4}>
        <List.Item>Campaigns that SmartPause is holding are resumed.</List.Item>
        <List.Item>Our access to your ad accounts is revoked on Meta.</List.Item>
        <List.Item>Your account, settings and history are deleted.</List.Item>
      </List>
      <Text fz="sm" c="dimmed" mt="sm">
        This takes a moment, or longer while Meta does not answer. The page looks again every 5 seconds; you
        may also close it and come back.
      </Text>
    </>
  );
}

function Finished() {
  return (
    <Text mt="xs" lh={1.55}>
      Your account, settings and history are deleted, and we have no access to your ad accounts. What remains
      is this confirmation code and what the{' '}
      <Anchor component={Link} to="/privacy-policy" inherit underline="always">
        Privacy Policy
      </Anchor>{' '}
      names under “After a deletion”.
    </Text>
  );
}

function Superseded() {
  return (
    <Text mt="xs" lh={1.55}>
      After asking Meta for this deletion you logged in to SmartPause again, so your account was kept. To
      delete it now, use{' '}
      <Anchor component={Link} to="/settings" inherit underline="always">
        Settings
      </Anchor>
      , or ask for it on Meta once more.
    </Text>
  );
}

const MARKS: Record<State, { path: string; color: string }> = {
  under_way: { path: 'M10 5.8V10l2.8 1.8', color: 'var(--mantine-primary-color-light-color)' },
  finished: { path: 'm6.5 10.3 2.4 2.4 4.8-5.2', color: 'var(--status-up)' },
  superseded: { path: 'M6.5 10h7', color: 'var(--mantine-color-dimmed)' },
};

/** A shape as well as a word: a clock while it runs, a tick when it is done, a line when it is not. */
function Mark({ state }: { state: State }) {
  const { path, color } = MARKS[state];
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ color, flex: 'none' }}
    >
      <circle cx="10" cy="10" r="8" />
      <path d={path} />
    </svg>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box className={classes.fact}>
      <Text component="dt" fz="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} className="figures">
        {children}
      </Text>
    </Box>
  );
}
