import { Badge, Card, Container, Text } from '@mantine/core';
import classes from '../landing.module.css';

/** Invented, and it says so: before the words and after them. */
export function Testimonial() {
  return (
    <Container size="md" component="section" aria-label="Example of a testimonial" pb={{ base: 56, sm: 88 }}>
      <Card component="figure" m={0} padding="xl" className={classes.testimonial ?? ''}>
        <Badge color="gray">Example, not a real customer</Badge>
        <Text
          component="blockquote"
          m={0}
          mt="md"
          fz={{ base: 'lg', sm: 22 }}
          lh={1.5}
          fw={500}
          style={{ textWrap: 'balance' }}
        >
          “I read about the outage in SmartPause’s email, not in my results. By then the campaigns were
          paused, and in the morning they were running again, without a click from me.”
        </Text>
        <Text component="figcaption" c="dimmed" mt="md">
          What somebody who buys ads for a small shop might say. We wrote it ourselves to show what SmartPause
          is for.
        </Text>
      </Card>
    </Container>
  );
}
