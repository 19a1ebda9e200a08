import { Accordion, Box, Text, Title } from '@mantine/core';
import classes from './pricing.module.css';

const questions = (withTrial: boolean) => [
  {
    question: 'How does SmartPause work?',
    answer:
      'It reads the status of Meta’s ad services around the clock. When a disruption reaches your threshold, the campaigns you switched SmartPause on for are paused; when it is over, exactly those run again, at once, after a delay or the next day. Campaigns without SmartPause are never touched.',
  },
  {
    question: 'Can I cancel anytime?',
    answer: `Yes, in Settings under Billing, without writing to anybody. SmartPause goes on until the end of ${withTrial ? 'the trial or of the period you have paid for' : 'the period you have paid for'}, and nothing is charged after that. Whatever it is holding then, it still resumes.`,
  },
  {
    question: 'Is my data secure?',
    answer:
      'You log in at Facebook and pay at Stripe: we never see your password or your card. Our access to your ad accounts is kept encrypted and never leaves our server. In Settings you can download all we keep about you, revoke our access, or delete your account.',
  },
];

export function Faq({ withTrial }: { withTrial: boolean }) {
  return (
    <Box component="section" aria-labelledby="faq" maw={720} mx="auto" mt={{ base: 48, sm: 72 }}>
      <Title order={2} id="faq" fz={24} mb="md">
        Questions
      </Title>
      <Accordion
        variant="contained"
        classNames={{ item: classes.question ?? '' }}
        order={3}
        defaultValue={questions(withTrial)[0]?.question ?? null}
      >
        {questions(withTrial).map(({ question, answer }) => (
          <Accordion.Item key={question} value={question}>
            <Accordion.Control>{question}</Accordion.Control>
            <Accordion.Panel>
              <Text c="dimmed" lh={1.55}>
                {answer}
              </Text>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Box>
  );
}
