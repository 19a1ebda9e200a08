import { Button } from '@mantine/core';

/** Turning SmartPause off strands a held campaign, so the user chooses what becomes of it. */
export function HeldChoice({ onKeep, onResume }: { onKeep: () => void; onResume: () => void }) {
  return (
    <>
      <Button variant="default" onClick={onKeep} data-autofocus>
        Keep paused
      </Button>
      <Button onClick={onResume}>Resume now</Button>
    </>
  );
}
