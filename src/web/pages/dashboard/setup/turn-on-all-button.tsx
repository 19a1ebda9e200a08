import type { ButtonProps } from '@mantine/core';
import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../browser/lazy-part.ts';

const TurnOnAll = lazyPart(async () => (await import('./turn-on-all.tsx')).TurnOnAll);

interface TurnOnAllButtonProps extends Pick<ButtonProps, 'variant' | 'fullWidth' | 'mt' | 'h' | 'py'> {
  /** An open dialog stays when the button goes. */
  isShown?: boolean;
}

/** Turns SmartPause on for the active campaigns of all ad accounts, after a question. */
export function TurnOnAllButton({ isShown = true, ...props }: TurnOnAllButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isShown && (
        <Button
          size="sm"
          styles={{ label: { whiteSpace: 'normal', lineHeight: 1.35 } }}
          {...props}
          onClick={() => setOpen(true)}
        >
          Turn on for all active campaigns
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <TurnOnAll onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
