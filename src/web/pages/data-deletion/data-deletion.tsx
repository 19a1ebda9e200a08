import { Card, Container, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useParams } from 'react-router';
import { deletionCode } from '#contract/shapes.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { hasFailed } from '../../api/has-failed.ts';
import { useDeletion } from '../../api/account-queries.ts';
import { DeletionProgress } from './deletion-progress.tsx';
import { TextLink } from '../../components/links.ts';

/** Meta redirects here after a deletion request on its site; the code is the only credential. */
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
  const query = useDeletion(code);
  const { data: deletion } = query;
  const isUnreachable = hasFailed(query);
  if (deletion === null) return <NoSuchCode />;
  return (
    <Card>
      {deletion !== undefined && <DeletionProgress deletion={deletion} />}
      {deletion === undefined && !isUnreachable && <Placeholder />}
      {isUnreachable && (
        <Text role="alert" mt={deletion === undefined ? 0 : 'md'} fz="sm">
          Can’t reach SmartPause. Retrying. Your deletion continues.
        </Text>
      )}
    </Card>
  );
}

function NoSuchCode() {
  return (
    <Card>
      <Title order={2} fz="lg">
        No deletion matches this confirmation code
      </Title>
      <Text c="dimmed" mt="xs" lh={1.55}>
        Check that the address matches the one Meta showed you. The code at the end has 20 letters and digits.
        If you have an account, you can also delete it in <TextLink to="/settings">Settings</TextLink>.
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
