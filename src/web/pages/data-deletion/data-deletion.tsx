import { Anchor, Card, Container, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { deletionCode } from '#contract/shapes.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { useDeletion } from '../../api/account-queries.ts';
import { DeletionProgress } from './deletion-progress.tsx';

/** Where Meta sends somebody who has asked there for their data to be deleted; the code is all they need. */
export function DataDeletion() {
  const { code = '' } = useParams();
  return (
    <Container size="sm" py={{ base: 32, sm: 48 }}>
      <PageHeading fz={26} mb="lg">
        Data deletion
      </PageHeading>
      {deletionCode.safeParse(code).success ? <Lookup code={code} /> : <NoSuchCode />}
    </Container>
  );
}

function Lookup({ code }: { code: string }) {
  const { data: deletion, isError } = useDeletion(code);
  if (deletion === null) return <NoSuchCode />;
  return (
    <Card>
      {deletion !== undefined && <DeletionProgress deletion={deletion} />}
      {deletion === undefined && !isError && <Placeholder />}
      {isError && (
        <Text role="alert" mt={deletion === undefined ? 0 : 'md'} fz="sm">
          We cannot be reached right now. This page tries again by itself; the deletion does not wait for it.
        </Text>
      )}
    </Card>
  );
}

function NoSuchCode() {
  return (
    <Card>
      <Title order={2} fz="lg">
        There is no deletion with this confirmation code
      </Title>
      <Text c="dimmed" mt="xs" lh={1.55}>
        Please compare the address with the one that Meta showed you: the code at its end has 20 letters and
        digits. If you have an account, you can also delete it yourself in{' '}
        <Anchor component={Link} to="/settings" inherit underline="always">
          Settings
        </Anchor>
        .
      </Text>
    </Card>
  );
}

function Placeholder() {
  return (
    <Stack aria-busy="true">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Skeleton h={28} w={180} />
      <Skeleton h={64} />
      <Skeleton h={88} />
    </Stack>
  );
}
