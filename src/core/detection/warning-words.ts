import type { SignalEvidence, SourceState, WarningEvidence } from './fusion.ts';
import { evidenceText } from './words.ts';

/** Full sentences, one of each source. */
export function warningText({ parts }: Pick<WarningEvidence, 'parts'>): string {
  return parts
    .map(({ source, evidence, isOver = false }) => {
      const text = evidenceText(source, 'SUSPECTED', evidence);
      return isOver ? `${text} That has cleared since.` : text;
    })
    .join(' ');
}

/** A state of one source, or of all together. */
export type RecordedState =
  | (SourceState & { evidence: SignalEvidence })
  | { source: 'early_warning'; state: 'SUSPECTED' | 'PROBABLE'; evidence: WarningEvidence };

export function stateText(one: RecordedState): string {
  return one.source === 'early_warning'
    ? warningText(one.evidence)
    : evidenceText(one.source, one.state, one.evidence);
}
