import { Button, Divider, Group, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { Muted } from '../../components/muted.ts';
import { notifyFailure } from '../../lib/notify.tsx';
import { ChangeProvider } from '../changes/change-provider.tsx';
import type { DryRunDialog } from './dry-run-dialog.tsx';
import type { LiveTestDialog } from './live-test-dialog.tsx';

interface Dialogs {
  DryRunDialog: typeof DryRunDialog;
  LiveTestDialog: typeof LiveTestDialog;
}

/** With the first press: few visits of the dashboard need them. */
async function loadDialogs(): Promise<Dialogs> {
  const [dry, live] = await Promise.all([import('./dry-run-dialog.tsx'), import('./live-test-dialog.tsx')]);
  return { DryRunDialog: dry.DryRunDialog, LiveTestDialog: live.LiveTestDialog };
}

/** @param props.isSubtle beside a button that matters more */
export function TryButtons({ isSubtle = false }: { isSubtle?: boolean }) {
  const look = isSubtle
    ? ({ size: 'compact-sm', variant: 'transparent', px: 0, bd: 0 } as const)
    : ({ size: 'sm', variant: 'default' } as const);
  const { pathname, search } = useLocation();
  const page = pathname + search;
  const [opened, setOpened] = useState<{ dialog: 'dry' | 'live'; page: string } | null>(null);
  // A dialog belongs to the page that it was opened on: Back closes it, also if the next page has the same buttons.
  if (opened !== null && opened.page !== page) setOpened(null);
  const open = opened?.page === page ? opened.dialog : null;
  const [dialogs, setDialogs] = useState<Dialogs | null>(null);
  const setOpen = (dialog: 'dry' | 'live') => {
    setOpened({ dialog, page });
    if (dialogs === null)
      loadDialogs().then(setDialogs, () =>
        notifyFailure('The test couldn’t be opened', 'Reload the page and try again.'),
      );
  };
  const onClose = () => setOpened(null);
  return (
    <Group gap={isSubtle ? 'lg' : 'sm'}>
      <Button {...look} onClick={() => setOpen('dry')}>
        What would happen now?
      </Button>
      <Button {...look} onClick={() => setOpen('live')}>
        Run a live test
      </Button>
      {dialogs !== null && (
        <>
          <dialogs.DryRunDialog opened={open === 'dry'} onClose={onClose} />
          <dialogs.LiveTestDialog opened={open === 'live'} onClose={onClose} />
        </>
      )}
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
