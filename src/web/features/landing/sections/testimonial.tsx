import { Badge, Card, Container, Text } from '@mantine/core';
import classes from '../landing.module.css';

/** An invented testimonial, labelled as such before and after the text. */
export function Testimonial() {
  return (
    <Container size="md" component="section" aria-label="Example testimonial" pb={{ base: 56, sm: 88 }}>
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
          “I found out about the outage from SmartPause’s email, not from my numbers. My campaigns were
          already paused, and by morning they were running again. I didn’t have to touch a thing.”
        </Text>
        <Text component="figcaption" c="dimmed" mt="md">
          What a media buyer at a small shop might say. We wrote this example to show what SmartPause is for.
        </Text>
      </Card>
    </Container>
  );
}
