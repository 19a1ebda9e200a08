import { NativeSelect, TextInput } from '@mantine/core';
import type { OutageSummary } from '#contract/outage-api.ts';
import { OUTAGE_SEARCH_MAX } from '#contract/outage-api.ts';
import { figure } from '#core/labels.ts';
import type { OutageResult } from '#core/smartpause/outage.ts';
import { OUTAGE_RESULTS } from '#core/smartpause/outage.ts';
import { RESULT_LABELS } from './outage-copy.ts';

interface CampaignFilterProps {
  counts: OutageSummary['counts'];
  result: OutageResult | undefined;
  /** The text in the search box; the filter may lag behind it. */
  text: string;
  onResult: (result: OutageResult | undefined) => void;
  onText: (text: string) => void;
}

/** Finds campaigns in one outage by name and by what happened to them. */
export function CampaignFilter({ counts, result, text, onResult, onText }: CampaignFilterProps) {
  const { stillPaused: paused, resumed, notResumed: not_resumed, notPaused: not_paused } = counts;
  const of = { paused, resumed, not_resumed, not_paused };
  return (
    <>
      <TextInput
        type="search"
        aria-label="Search campaigns"
        placeholder="Name or id"
        value={text}
        maxLength={OUTAGE_SEARCH_MAX}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label="Filter by result"
        value={result ?? ''}
        data={[
          { value: '', label: 'All results' },
          ...OUTAGE_RESULTS.filter((one) => of[one] > 0 || one === result).map((one) => ({
            value: one,
            label: `${RESULT_LABELS[one]} (${figure(of[one])})`,
          })),
        ]}
        onChange={({ currentTarget: { value } }) => onResult(OUTAGE_RESULTS.find((one) => one === value))}
      />
    </>
  );
}
