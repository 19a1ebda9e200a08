import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { LEVEL_WORDS } from '#core/words.ts';
import type { ShownStatus } from '../api/queries.ts';
import { usePlatformStatus } from '../api/queries.ts';
import { UNREACHABLE, statusWords } from '../text/status-words.ts';
import { StatusMark } from './status-mark.tsx';
import { StatusTimes } from './status-times.tsx';

/** The platform's status in the header; the tooltip says the rest. */
export function StatusIndicator() {
  const status = usePlatformStatus();
  if (status === null) return null;
  return (
    <Tooltip label={<StatusDetails status={status} />}>
      <UnstyledButton
        px="sm"
        h={32}
        fz="sm"
        style={{ borderRadius: 999, border: '1px solid var(--mantine-color-default-border)' }}
      >
        <StatusMark level={status.status} prefix={<StatusPrefix />} />
      </UnstyledButton>
    </Tooltip>
  );
}

/** A part of the button's name rather than a label over it: who says what they see means this button. */
function StatusPrefix() {
  return (
    <>
      Meta<VisuallyHidden> ad services:</VisuallyHidden>
    </>
  );
}

/** Message, since when, and when it was last checked. */
export function StatusDetails({ status }: { status: ShownStatus }) {
  return (
    <>
      {status.isUnreachable === true && <div>{UNREACHABLE}</div>}
      {status.message !== '' && <div>{status.message}</div>}
      <div>
        {status.isUnreachable !== true && LEVEL_WORDS[status.status]} <StatusTimes status={status} />
      </div>
    </>
  );
}

/** Says a changed status once to those who do not see it. */
export function StatusAnnouncer() {
  const status = usePlatformStatus();
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {status !== null && statusWords(status)}
    </VisuallyHidden>
  );
}
