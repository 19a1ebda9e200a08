import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { DryRunDialog } from './dry-run-dialog.tsx';
import { LiveTestDialog } from './live-test-dialog.tsx';

export function TryButtons({ onTried }: { onTried?: () => void }) {
  const [open, setOpen] = useState<'dry' | 'live' | null>(null);
  const onClose = (wasTried: boolean) => {
    setOpen(null);
    if (wasTried) onTried?.();
  };
  return (
    <Group gap="sm">
      <Button size="sm" variant="default" onClick={() => setOpen('dry')}>
        What would happen now?
      </Button>
      <Button size="sm" variant="default" onClick={() => setOpen('live')}>
        Run a live test
      </Button>
      <DryRunDialog opened={open === 'dry'} onClose={onClose} />
      <LiveTestDialog opened={open === 'live'} onClose={onClose} />
    </Group>
  );
}
