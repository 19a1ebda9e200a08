import { Divider, Title } from '@mantine/core';
import { Muted } from '../../components/muted.ts';
import { TryButtons } from './try-buttons.tsx';

/** The place in Settings to see SmartPause work without an outage. */
export function TryIt() {
  return (
    <section aria-labelledby="try-it">
      <Divider my="lg" />
      <Title order={3} fz="md" id="try-it">
        Try it
      </Title>
      <Muted mt={4} mb="md">
        See what an outage would do, or watch SmartPause pause and resume one campaign.
      </Muted>
      <TryButtons />
    </section>
  );
}
