import { Button, Container, Text } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeading } from '../components/layout/page-heading.tsx';

export function NotFound() {
  return (
    <Container size="sm" py={96} ta="center">
      <Text c="dimmed" fw={600}>
        404
      </Text>
      <PageHeading mt="xs">Page not found</PageHeading>
      <Text c="dimmed" mt="sm" mb="xl">
        There is nothing at this address. It may have moved, or the link was mistyped.
      </Text>
      <Button component={Link} to="/">
        Go home
      </Button>
    </Container>
  );
}
