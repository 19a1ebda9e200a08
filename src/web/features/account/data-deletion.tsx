import '@mantine/core/styles/List.css';
import { Card, Container, List, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { DeletionStatus } from '#contract/shapes.ts';
import { deletionCode } from '#contract/shapes.ts';
import { fullTime } from '#core/new-york.ts';
import { useDeletion } from './api.ts';
import { hasFailed } from '../../lib/has-failed.ts';
import type { Fact } from '../../components/facts.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { TextLink } from '../../components/links.ts';
import { Muted } from '../../components/muted.ts';
import { Placeholders } from '../../components/placeholders.tsx';
import { Time } from '../../components/time.tsx';

/** Meta redirects here after a deletion request on its site; the code is the only credential. */
export function DataDeletion() {
  const { code = '' } = useParams();
  return (
    <Container size="sm" py={{ base: 32, sm: 48 }}>
      <PageHeading fz={26} mb="lg">
        Data deletion
      </PageHeading>
      <Card>{deletionCode.safeParse(code).success ? <Lookup code={code} /> : <NoSuchCode />}</Card>
    </Container>
  );
}

function Lookup({ code }: { code: string }) {
  const query = useDeletion(code);
  const { data: deletion } = query;
  if (deletion === null) return <NoSuchCode />;
  const isUnreachable = hasFailed(query);
  return (
    <>
      {deletion !== undefined && <Progress deletion={deletion} />}
      {deletion === undefined && !isUnreachable && <Placeholders heights={[28, 64, 88]} />}
      {isUnreachable && (
        <Text role="alert" mt={deletion === undefined ? 0 : 'md'} fz="sm">
          Can’t reach SmartPause. Retrying. Your deletion continues.
        </Text>
      )}
    </>
  );
}

function NoSuchCode() {
  return (
    <>
      <Title order={2} fz="lg">
        No deletion matches this confirmation code
      </Title>
      <Text c="dimmed" mt="xs" lh={1.55}>
        Check that the address matches the one Meta showed you. The code at the end has 20 letters and digits.
        If you have an account, you can also delete it in <TextLink to="/settings">Settings</TextLink>.
      </Text>
    </>
  );
}

function Progress({ deletion }: { deletion: DeletionStatus }) {
  const { confirmationCode, requestedAt, finishedAt, isSuperseded } = deletion;
  const facts: Fact[] = [
    ['Confirmation code', <code key="code">{confirmationCode}</code>],
    ['Requested', <FullTime key="requested" at={requestedAt} />],
    ...(finishedAt === null ? [] : [['Completed', <FullTime key="completed" at={finishedAt} />] as const]),
  ];
  return (
    <>
      <div role="status">
        {isSuperseded ? <Superseded /> : finishedAt === null ? <UnderWay /> : <Finished />}
      </div>
      <Facts facts={facts} />
    </>
  );
}

function FullTime({ at }: { at: string }) {
  return <Time at={Date.parse(at)}>{fullTime(Date.parse(at))}</Time>;
}

function State({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <Title order={2} fz="lg">
        {title}
      </Title>
      <Text component="div" mt="xs" mb="lg" lh={1.55}>
        {children}
      </Text>
    </>
  );
}

function UnderWay() {
  return (
    <State title="In progress">
      What happens, in order:
      <List type="ordered" my="xs" spacing={4}>
        <List.Item>Campaigns paused by SmartPause are resumed.</List.Item>
        <List.Item>Our access to your ad accounts is revoked on Meta.</List.Item>
        <List.Item>Your account, settings and history are deleted.</List.Item>
      </List>
      <Muted>Usually under a minute. This page updates automatically; you can close it.</Muted>
    </State>
  );
}

function Finished() {
  return (
    <State title="Completed">
      Your account, settings and history are deleted, and we no longer have access to your ad accounts. We
      keep only this confirmation code and what the <TextLink to="/privacy-policy">Privacy Policy</TextLink>{' '}
      lists under “After a deletion”.
    </State>
  );
}

function Superseded() {
  return (
    <State title="Canceled">
      You logged in to SmartPause again after this request, so your account was kept. To delete it now, go to{' '}
      <TextLink to="/settings">Settings</TextLink> or request the deletion on Meta again.
    </State>
  );
}
