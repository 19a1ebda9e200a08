import { Text } from '@mantine/core';
import { Chevron } from '../../components/chevron.tsx';
import { pricingQuestions } from '../../pages/pricing/faq-words.ts';
import classes from '../landing.module.css';
import { Section } from './section.tsx';

const MORE = [
  {
    question: 'Will SmartPause change campaigns by itself?',
    answer:
      'Only those for which you switched it on, and only while Meta has a disruption that reaches your threshold. It sets them to PAUSED and back to ACTIVE; budgets, ads and audiences are never changed. A campaign that was paused already stays as it is.',
  },
  {
    question: 'What if I change a campaign myself in the meantime?',
    answer:
      'Your hand wins. When a campaign that we hold is resumed in Ads Manager, SmartPause lets it go, says so, and stays off for it until you switch it on again.',
  },
  {
    question: 'Is every outage seen?',
    answer:
      'SmartPause goes by what Meta’s own status page says of ad delivery. It can be no earlier than Meta is. While that page cannot be read, no campaign is newly paused, and scheduled resumes happen on time.',
  },
  {
    question: 'Do I need a card for the trial?',
    answer:
      'Yes: Stripe asks for it at the beginning and charges nothing until the trial is over. We write to you before that.',
  },
  {
    question: 'Does SmartPause belong to Meta?',
    answer: 'No. It uses Meta’s public interfaces with the permission that you give and can take back.',
  },
];

/** The browser's own disclosure: it opens without a script, and what is closed is still found by a search. */
export function Questions() {
  return (
    <Section id="questions" title="Questions" text="What people ask before they begin." beside>
      <div className={classes.questions}>
        {[...pricingQuestions(true), ...MORE].map(({ question, answer }, index) => (
          <details key={question} className={classes.question} open={index === 0}>
            <summary>
              <h3>{question}</h3>
              <Chevron />
            </summary>
            <Text c="dimmed" lh={1.6}>
              {answer}
            </Text>
          </details>
        ))}
      </div>
    </Section>
  );
}
