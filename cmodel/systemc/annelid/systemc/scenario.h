// SPDX-License-Identifier: Apache-2.0
//
// A scenario (docs/scenario.md) as an object of C++, and errors of the library as those of SystemC.

#ifndef ANNELID_SYSTEMC_SCENARIO_H
#define ANNELID_SYSTEMC_SCENARIO_H

#include <annelid/annelid.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

namespace annelid
{

// Reports an error, and does not return: an exception is thrown even where reports do not throw.
[[noreturn]] inline void fail(const char *type, const std::string &text)
{
    SC_REPORT_ERROR(type, text.c_str());
    throw std::runtime_error(std::string(type) + ": " + text);
}

// Does so unless the status is ANL_OK.
inline void check(anl_status status, const char *type, const anl_error &error)
{
    if (status == ANL_OK) return;
    std::string text = error.file;
    if (!text.empty()) text += error.line ? ":" + std::to_string(error.line) + ": " : ": ";
    fail(type, text + error.text);
}

// A scenario. Copies share what was read, which lives as long as one of them.
class scenario
{
  public:
    // Reads a file, with settings "section.key=value" that replace or complete it.
    explicit scenario(const std::string &path, const std::vector<std::string> &settings = {})
    {
        std::vector<const char *> words;
        for (const std::string &setting : settings)
            words.push_back(setting.c_str());
        auto *read = new anl_scenario();
        anl_error error = {};
        const anl_status status =
            anl_scenario_load_with(path.c_str(), words.data(), words.size(), read, &error);
        own(read);
        check(status, "/annelid/scenario", error);
    }

    // Reads a text; files that it names are relative to the current folder.
    static scenario of_text(const std::string &text)
    {
        auto *read = new anl_scenario();
        anl_error error = {};
        const anl_status status =
            anl_scenario_parse(text.c_str(), text.size(), "scenario", "", read, &error);
        scenario made;
        made.own(read);
        check(status, "/annelid/scenario", error);
        return made;
    }

    const anl_scenario &get() const { return *scenario_; }
    const anl_config &config() const { return scenario_->network; }

    uint32_t terminals() const { return anl_shape_of(&config()).terminals; }
    // Returns the lines of a link: 1, or as many as there are lanes if links are wide.
    uint32_t lines() const { return anl_link_flits(&config()); }

    // Returns the name of a link, "T3.inject" or "3(1,0).T".
    std::string link_name(uint32_t link) const
    {
        char name[64];
        anl_link_name(&config(), link, name, sizeof name);
        return name;
    }

  private:
    scenario() = default;

    void own(anl_scenario *read)
    {
        scenario_.reset(read, [](anl_scenario *old) {
            anl_scenario_free(old);
            delete old;
        });
    }

    std::shared_ptr<anl_scenario> scenario_;
};

}  // namespace annelid

#endif
