import { Button, Container, Group, Text, Title } from '@mantine/core';
import { Link } from 'react-router';

/** Where somebody comes back to who left the checkout. */
export function CheckoutCanceled() {
  return (
    <Container size="sm" py={96} ta="center">
      <Title order={1}>Payment canceled</Title>
      <Text c="dimmed" mt="sm" mb="xl">
        You were not charged, and nothing has begun. You can take a plan whenever you like.
      </Text>
      <Group justify="center">
        <Button component={Link} to="/">
          Return home
        </Button>
        <Button component={Link} to="/payment" variant="default">
          See plans
        </Button>
      </Group>
    </Container>
  );
}
