// Skills: what there is and why it can or cannot be used, switching, and the way to each one and to a new one.
import { Plus, Puzzle } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { ListCard } from "../../components/list-card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { AddSkill } from "./add-skill.tsx";
import { Extensions } from "./extensions.tsx";
import { SkillDialog } from "./skill-dialog.tsx";
import { SkillRow } from "./skill-row.tsx";

export function SkillsPage() {
  const words = useWords().skills;
  const pages = useWords().shell.pages;
  const query = useQuery("skills.list", {}, { topic: "skills" });
  const [shown, setShown] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const actions = (
    <Button tone="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={pages.skills} about={words.about} actions={actions}>
      <Loaded query={query} lines={8}>
        {({ skills }) => (
          <ListCard items={skills} empty={<EmptyState icon={Puzzle} title={words.empty} action={actions} />}>
            {(skill) => <SkillRow key={skill.name} skill={skill} onShow={() => setShown(skill.name)} />}
          </ListCard>
        )}
      </Loaded>
      <Extensions />
      {shown !== undefined && <SkillDialog name={shown} onClose={() => setShown(undefined)} />}
      {isAdding && <AddSkill onClose={() => setIsAdding(false)} />}
    </Page>
  );
}
