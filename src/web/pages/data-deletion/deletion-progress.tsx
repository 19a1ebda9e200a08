import '@mantine/core/styles/List.css';
import { Box, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DeletionStatus } from '#contract/shapes.ts';
import { fullTime } from '#core/new-york.ts';
import { seconds } from '#core/time.ts';
import { DELETION_MS } from '../../api/account-queries.ts';
import { Time } from '../../components/time.tsx';
import classes from './data-deletion.module.css';
import { Muted } from '../../components/muted.ts';
import { TextLink } from '../../components/links.ts';

type State = 'under_way' | 'finished' | 'superseded';

/** The path is a shape besides the title: a clock, a tick, a line. */
const STATES: Record<State, { title: string; path: string; color: string; Details: () => ReactNode }> = {
  under_way: {
    title: 'In progress',
    path: 'M10 5.8V10l2.8 1.8',
    color: 'var(--mantine-primary-color-light-color)',
    Details: UnderWay,
  },
  finished: {
    title: 'Completed',
    path: 'm6.5 10.3 2.4 2.4 4.8-5.2',
    color: 'var(--status-up)',
    Details: Finished,
  },
  superseded: {
    title: 'Canceled',
    path: 'M6.5 10h7',
    color: 'var(--mantine-color-dimmed)',
    Details: Superseded,
  },
};

function stateOf({ finishedAt, isSuperseded }: DeletionStatus): State {
  if (isSuperseded) return 'superseded';
  return finishedAt === null ? 'under_way' : 'finished';
}

export function DeletionProgress({ deletion }: { deletion: DeletionStatus }) {
  const { confirmationCode, requestedAt, finishedAt } = deletion;
  const { title, path, color, Details } = STATES[stateOf(deletion)];
  return (
    <>
      <div role="status">
        <Title order={2} fz="lg" className={classes.state}>
          <Mark path={path} color={color} /> {title}
        </Title>
      </div>
      <Details />
      <dl className={classes.facts}>
        <Fact name="Confirmation code">
          <span className={classes.code}>{confirmationCode}</span>
        </Fact>
        <Fact name="Requested">
          <FullTime at={requestedAt} />
        </Fact>
        {finishedAt !== null && (
          <Fact name="Completed">
            <FullTime at={finishedAt} />
          </Fact>
        )}
      </dl>
    </>
  );
}

function FullTime({ at }: { at: string }) {
  return <Time at={Date.parse(at)}>{fullTime(Date.parse(at))}</Time>;
}

function UnderWay() {
  return (
    <>
      <Text mt="xs">What happens, in order:</Text>
      <List type="ordered" mt="xs" spacing={4}>
        <List.Item>Campaigns paused by SmartPause are resumed.</List.Item>
        <List.Item>Our access to your ad accounts is revoked on Meta.</List.Item>
        <List.Item>Your account, settings and history are deleted.</List.Item>
      </List>
      <Muted mt="sm">
        This usually takes a moment, and longer if Meta isn’t responding. This page refreshes every{' '}
        {DELETION_MS / seconds(1)} seconds. You can close it and come back.
      </Muted>
    </>
  );
}

function Finished() {
  return (
    <Text mt="xs" lh={1.55}>
      Your account, settings and history are deleted, and we no longer have access to your ad accounts. We
      keep only this confirmation code and what the <TextLink to="/privacy-policy">Privacy Policy</TextLink>{' '}
      lists under “After a deletion”.
    </Text>
  );
}

function Superseded() {
  return (
    <Text mt="xs" lh={1.55}>
      You logged in to SmartPause again after this request, so your account was kept. To delete it now, go to{' '}
      <TextLink to="/settings">Settings</TextLink> or request the deletion on Meta again.
    </Text>
  );
}

function Mark({ path, color }: { path: string; color: string }) {
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
      <Muted component="dt">{name}</Muted>
      <Text component="dd" m={0} className="figures">
        {children}
      </Text>
    </Box>
  );
}
