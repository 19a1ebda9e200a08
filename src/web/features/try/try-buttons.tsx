import { Button, Divider, Group, Title } from '@mantine/core';
import { useState } from 'react';
import { Muted } from '../../components/muted.ts';
import { ChangeProvider } from '../changes/change-provider.tsx';
import { DryRunDialog } from './dry-run-dialog.tsx';
import { LiveTestDialog } from './live-test-dialog.tsx';

/** @param props.isSubtle beside a button that matters more */
export function TryButtons({ isSubtle = false }: { isSubtle?: boolean }) {
  const look = isSubtle
    ? ({ size: 'compact-sm', variant: 'transparent', px: 0, bd: 0 } as const)
    : ({ size: 'sm', variant: 'default' } as const);
  const [open, setOpen] = useState<'dry' | 'live' | null>(null);
  const onClose = () => setOpen(null);
  return (
    <Group gap={isSubtle ? 'lg' : 'sm'}>
      <Button {...look} onClick={() => setOpen('dry')}>
        What would happen now?
      </Button>
      <Button {...look} onClick={() => setOpen('live')}>
        Run a live test
      </Button>
      <DryRunDialog opened={open === 'dry'} onClose={onClose} />
      <LiveTestDialog opened={open === 'live'} onClose={onClose} />
    </Group>
  );
}

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
      <ChangeProvider>
        <TryButtons />
      </ChangeProvider>
    </section>
  );
}
