import { Accordion, Box, Text, Title } from '@mantine/core';
import { pricingQuestions } from './faq-copy.ts';
import classes from './pricing.module.css';

export function Faq({ withTrial }: { withTrial: boolean }) {
  const questions = pricingQuestions(withTrial);
  return (
    <Box component="section" aria-labelledby="faq" maw={860} mx="auto" mt={{ base: 48, sm: 72 }}>
      <Title order={2} id="faq" fz={24} mb="md">
        Frequently asked questions
      </Title>
      <Accordion variant="contained" classNames={{ item: classes.question ?? '' }} order={3} defaultValue="0">
        {questions.map(({ question, answer }, index) => (
          <Accordion.Item key={question} value={String(index)}>
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
