import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { DryRunDialog } from './dry-run-dialog.tsx';
import { LiveTestDialog } from './live-test-dialog.tsx';

const DIALOGS = { dry: DryRunDialog, live: LiveTestDialog };

/** @param props.onTried the dry run was opened, or a live test has succeeded */
export function TryButtons({ onTried }: { onTried?: () => void }) {
  const [shown, setShown] = useState<keyof typeof DIALOGS | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (which: keyof typeof DIALOGS) => () => {
    setShown(which);
    setOpen(true);
  };
  // Stays rendered when it closes, because only then the focus returns.
  const Dialog = shown === null ? null : DIALOGS[shown];
  return (
    <>
      <Group gap="sm">
        <Button size="sm" variant="default" onClick={open('dry')}>
          What would happen now?
        </Button>
        <Button size="sm" variant="default" onClick={open('live')}>
          Run a live test
        </Button>
      </Group>
      {Dialog !== null && <Dialog opened={isOpen} onClose={() => setOpen(false)} onTried={onTried} />}
    </>
  );
}
