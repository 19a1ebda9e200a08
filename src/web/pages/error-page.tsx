import { Button, Container, Group, Text } from '@mantine/core';
import { PageHeading } from '../components/page-heading.tsx';

/** In place of a page that broke while it was drawn. */
export function ErrorPage() {
  return (
    <Container size="sm" py={96} ta="center" role="alert">
      <PageHeading>This page hit a problem</PageHeading>
      <Text c="dimmed" mt="sm" mb="xl">
        SmartPause itself keeps working on the server: your campaigns are still looked after.
      </Text>
      <Group justify="center">
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <Button component="a" href="/" variant="default">
          Go home
        </Button>
      </Group>
    </Container>
  );
}
