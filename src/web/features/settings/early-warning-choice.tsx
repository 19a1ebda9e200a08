import { Box, Radio, Stack } from '@mantine/core';
import type { UserStatus } from '#contract/shapes.ts';
import type { EarlyWarningChoice } from '#core/settings.ts';
import { EARLY_WARNING_CHOICES } from '#core/settings.ts';
import { meetsThreshold } from '#core/smartpause/level.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';
import type { ShownLevel } from '../status/api.ts';
import { usePlatformLevel, useUserStatus } from '../status/api.ts';
import { Effect } from './threshold-slider.tsx';
import type { FormState } from './use-settings-form.ts';

const WORDS: Record<EarlyWarningChoice, { label: string; description: string }> = {
  official: {
    label: 'Official status only',
    description: 'Your campaigns pause only when Meta’s status page reports a disruption.',
  },
  pause: {
    label: 'Early warnings pause as well',
    description:
      'Campaigns pause when calls to Meta fail and many ad accounts deliver far less than usual. Failing calls alone never pause. If Meta’s page never confirms it, campaigns resume as set above.',
  },
  notify: {
    label: 'Notify me only',
    description:
      'You get a notification. Your campaigns keep running until Meta’s page reports a disruption.',
  },
};

const RECORDED =
  'For now they’re only recorded, to learn how many are false. What you choose counts once they act.';

const PAUSES_ON_SAVE =
  'An early warning is on: when you save, your campaigns with SmartPause on are paused immediately.';

/** A warning pauses now, and the choice is new. What an outage has paused already stays as it is. */
export function pausesOnSave(
  level: ShownLevel | null,
  saved: Pick<UserStatus, 'earlyWarning' | 'outageThreshold'>,
  chosen: EarlyWarningChoice,
): boolean {
  if (level?.warning?.pauses !== true || chosen !== 'pause' || saved.earlyWarning === 'pause') return false;
  return saved.outageThreshold === null || !meetsThreshold(level.status, saved.outageThreshold);
}

/** Absent where the server has no early warnings. */
export function EarlyWarningField({ form }: { form: FormState }) {
  const isSupported = useHasCapability('early_warning');
  const { data: user } = useUserStatus();
  const level = usePlatformLevel();
  const act = user?.earlyWarningsAct;
  const { earlyWarning } = form.values;
  if (!isSupported || earlyWarning === undefined) return null;
  return (
    <Box id="early-warning" style={{ scrollMarginTop: 16 }}>
      <Radio.Group
        label="Early warning"
        description={`Early warnings are our own suspicions, before Meta’s page says so. ${act === false ? RECORDED : 'Some will be false.'}`}
        {...form.getInputProps('earlyWarning')}
      >
        <Stack gap="sm" mt="sm">
          {EARLY_WARNING_CHOICES.map((choice) => (
            <Radio key={choice} value={choice} {...WORDS[choice]} />
          ))}
        </Stack>
      </Radio.Group>
      <div role="status">
        {user !== undefined && pausesOnSave(level, user, earlyWarning) && (
          <Effect mt={20}>{PAUSES_ON_SAVE}</Effect>
        )}
      </div>
    </Box>
  );
}
