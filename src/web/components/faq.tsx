import { Text } from '@mantine/core';
import { Chevron } from './icons.tsx';
import classes from './faq.module.css';

export interface Question {
  question: string;
  answer: string;
}

/** The questions that the landing page and the pricing page share; without a trial left, it promises none. */
export function pricingQuestions(withTrial: boolean): Question[] {
  return [
    {
      question: 'How does SmartPause work?',
      answer:
        'It watches the status of Meta’s ad services around the clock. When a disruption meets your threshold, it pauses the campaigns you chose. When it’s over, it resumes exactly those: instantly, after a delay, or the next day. It never touches your other campaigns.',
    },
    {
      question: 'Can I cancel anytime?',
      answer: `Yes, in Settings → Billing. SmartPause keeps working until the end of your ${withTrial ? 'trial or paid period' : 'paid period'}, and you won’t be charged again. Anything still paused is resumed.`,
    },
    {
      question: 'Is my data secure?',
      answer:
        'You log in with Facebook and pay with Stripe, so we never see your password or card number. Your Meta access token is stored encrypted and sent only to Meta. In Settings you can revoke our access or delete your account.',
    },
  ];
}

/** Native disclosures: they open without a script, and the browser's search finds closed text. */
export function Faq({ questions }: { questions: readonly Question[] }) {
  return (
    <div className={classes.questions}>
      {questions.map(({ question, answer }, index) => (
        <details key={question} className={classes.question} open={index === 0}>
          <summary>
            <h3>{question}</h3>
            <Chevron />
          </summary>
          <Text c="dimmed" lh={1.6} maw={760}>
            {answer}
          </Text>
        </details>
      ))}
    </div>
  );
}
